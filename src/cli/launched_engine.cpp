#include "cli/launched_engine.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/duration.hpp"
#include "base/run_id.hpp"
#include "cli/command.hpp"
#include "cli/environment_block.hpp"
#include "cli/stop.hpp"
#include "environment/engine_args.hpp"
#include "environment/redaction.hpp"
#include "environment/secrets.hpp"
#include "launch/command_words.hpp"
#include "launch/log_tail.hpp"
#include "launch/ready.hpp"
#include "run/models.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// What an engine says in its log may hold a key that it was given.
std::vector<std::string> without_secrets(std::vector<std::string> lines) {
  for (std::string& line : lines) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    line.clear();
    for (const std::string& each : environment::masked_arguments(std::move(words)))
      line += (line.empty() ? "" : " ") + each;
    line = environment::without_secrets(line);
  }
  return lines;
}

}  // namespace

Result<launch::Plan> LaunchedEngine::make_plan() {
  if (options_.chooses_port() && !has_started_) {  // the one that was free when the flags were read may be taken by now
    const Result<std::uint16_t> port = launch::free_port();
    if (!port) return port.error();
    target_.set_base_url(fmt::format("http://127.0.0.1:{}", *port));
  }
  const Result<wire::Url> base = target_.base();
  if (!base) return Error{ErrorCode::invalid_argument, base.error().message};
  if (Status is_free = launch::check_is_free(*base, target_.wire); !is_free) return is_free.error();
  Result<std::string> log = options_.log_path(store_, "engine-" + new_run_id());
  if (!log) return log.error();
  launch::Plan plan;
  plan.words = launch::fill(
      options_.words(), {{"host", base->host}, {"port", std::to_string(base->port)}, {"model", target_.model_id()}});
  plan.variables = environment_block();
  for (const auto& [name, value] : options_.environment()) plan.variables[name] = value;
  plan.log = std::move(*log);
  plan.stop_grace = options_.stop_timeout();
  plan.censor = without_secrets;
  plan.shown = launch::joined(environment::masked_arguments(plan.words));
  note(plan);
  return plan;
}

/// Before it is started: what will be.
void LaunchedEngine::note(const launch::Plan& plan) {
  record_ = {};
  record_.given = options_.given().empty() ? "" : launch::joined(environment::masked_arguments(options_.words()));
  if (options_.preset()) record_.preset = options_.preset()->name, record_.preset_version = options_.preset()->version;
  record_.command = environment::masked_arguments(plan.words);
  for (const auto& [name, value] : options_.environment()) {
    const bool is_secret = environment::is_secret_name(name) || environment::is_secret_variable(name);
    record_.environment.push_back(fmt::format(
        "{}={}", name, is_secret ? std::string(environment::kMasked) : environment::masked_arguments({value}).front()));
  }
  record_.ready_path = options_.ready_path();
  record_.log = plan.log;
  record_.is_per_run = options_.is_per_run();
}

Status LaunchedEngine::start() {
  engine_.reset();
  Result<launch::Plan> plan = make_plan();
  if (!plan) return plan.error();
  std::fprintf(stderr, "%s\n", say(Msg::launch_starting, plan->shown, plan->log).c_str());
  Result<std::unique_ptr<launch::Engine>> started = launch::Engine::start(std::move(*plan));
  if (!started) return started.error();
  engine_ = std::move(*started);
  has_started_ = true;
  launch::ReadyQuestion question;
  question.base = *target_.base();
  question.path = options_.ready_path();
  question.wire = target_.wire;
  question.headers = run::common_headers(target_.shape);
  question.timeout = options_.ready_timeout();
  const Result<Instant> ready = launch::wait_until_ready(*engine_, question, stop_requested(), [this](Nanos elapsed) {
    const std::vector<std::string> lines = engine_->log_tail();
    complain(
        say(Msg::launch_waiting, format_duration(elapsed), lines.empty() ? say(Msg::launch_silent) : lines.back()));
  });
  if (!ready) {
    if (!stop_requested()) show_tail();
    return ready.error();
  }
  record_.time_to_ready = *ready - engine_->started();
  return Done{};
}

void LaunchedEngine::take_first_token(Moment at) {
  if (at) record_.time_to_first_token = *at - engine_->started();
}

event::Fingerprint LaunchedEngine::fields() const {
  return environment::launch_fields(options_.words(), options_.environment());
}

void LaunchedEngine::show_tail() const {
  std::fprintf(stderr, "%s\n", say(Msg::launch_tail_head, record_.log).c_str());
  for (const std::string& line : engine_->log_tail()) std::fprintf(stderr, "  | %s\n", line.c_str());
}

std::optional<Error> LaunchedEngine::loss(Nanos patience) const {
  if (engine_ && patience > Nanos::zero()) engine_->has_ended_within(patience);
  const std::optional<launch::Exit> exit = engine_ ? engine_->exit() : std::nullopt;
  if (!exit) return std::nullopt;
  const std::string words = launch::telling_line(engine_->log_tail());
  return Error{ErrorCode::aborted, say(Msg::launch_died_later, launch::describe(exit->code, exit->signal),
                                       words.empty() ? say(Msg::launch_silent) : words)};
}

Error LaunchedEngine::explain(Error error) const {
  constexpr Nanos kPatience = std::chrono::milliseconds(100);  // a connection may be reset before its process has ended
  if (stop_requested() || !engine_ || !engine_->has_ended_within(kPatience)) return error;
  show_tail();
  return *loss();
}

event::LaunchEnding LaunchedEngine::stop() { return engine_->stop(); }

}  // namespace scoville::cli
