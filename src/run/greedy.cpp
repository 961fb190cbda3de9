#include "run/greedy.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "run/models.hpp"
#include "text/catalogue.hpp"

namespace scoville::run {
namespace {

using event::Failure;
using text::Msg;
using text::say;

constexpr Nanos kPause = std::chrono::milliseconds(500);  // between two looks at a server that is still loading
constexpr int kTries = 3;                                 // of a server that fails now and then
constexpr std::uint32_t kReadyTokens = 4;

}  // namespace

GreedyServer::GreedyServer(wire::Target target, plan::RequestShape shape, Nanos timeout, const GreedyOptions& options)
    : target_(std::move(target)),
      shape_(std::move(shape)),
      user_extra_(shape_.extra_body),
      timeout_(timeout),
      options_(options),
      dialect_(load::make_dialect(shape_.dialect)) {
  shape_.temperature = 0;
  shape_.top_p = 1;
  shape_.include_usage = false;
}

std::string GreedyServer::body(const dataset::Prompt& prompt) const {
  json::object extra{{"stream", false}};
  if (sends_seed_) extra["seed"] = options_.seed;
  if (options_.logprobs > 0 && shape_.dialect == plan::Dialect::openai) {
    extra["logprobs"] = true;
    extra["top_logprobs"] = options_.logprobs;
  } else if (options_.logprobs > 0) {
    extra["logprobs"] = options_.logprobs;
  }
  if (!user_extra_.empty()) {
    const json::value members = json::parse(user_extra_);
    for (const auto& [name, value] : members.as_object()) extra[name] = value;
  }
  plan::RequestShape shape = shape_;
  shape.extra_body = compact(extra);
  return dialect_->body(prompt, shape);
}

Answer GreedyServer::ask(const dataset::Prompt& prompt) const {
  wire::FetchRequest request;
  request.method = "POST";
  request.path = target_.url.path;
  request.headers = common_headers(shape_);
  request.headers.push_back({"Content-Type", "application/json"});
  request.headers.push_back({"Accept", "application/json"});
  request.headers.push_back({"Connection", "close"});
  request.body = body(prompt);
  request.timeout = timeout_;
  Result<wire::Response> response = wire::fetch(target_, request);
  return response ? read_answer(*dialect_, std::move(*response)) : failed_answer(response.error());
}

std::vector<Answer> GreedyServer::ask_all(const std::vector<dataset::Prompt>& prompts, const std::atomic<bool>& stop,
                                          const std::function<void()>& done) const {
  Answer never;
  never.failure = Failure::aborted;
  std::vector<Answer> answers(prompts.size(), never);
  std::atomic<std::size_t> next{0};
  std::mutex one_at_a_time;
  const auto work = [&] {
    for (std::size_t i = next++; i < prompts.size() && !stop; i = next++) {
      answers[i] = ask(prompts[i]);
      const std::lock_guard lock(one_at_a_time);
      done();
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(options_.concurrency, prompts.size()); ++i) others.emplace_back(work);
  work();
  others.clear();  // waits for them
  return answers;
}

Status GreedyServer::get_ready(Nanos ready_timeout, const std::atomic<bool>& stop,
                               const std::function<void(const std::string&)>& say_step) {
  const Instant give_up = now() + ready_timeout;
  dataset::Prompt hello;
  hello.text = "Hello";
  hello.max_tokens = kReadyTokens;
  bool has_said = false;
  for (int tries = 1;;) {
    const Answer answer = ask(hello);
    if (stop) return Error{ErrorCode::aborted, say(Msg::run_stopped)};
    if (answer.succeeded()) return Done{};
    if (adapt(answer)) continue;
    const bool is_loading = answer.http_status == 503 && now() + kPause < give_up;
    const bool may_pass = answer.http_status >= 500 || answer.failure == Failure::reset;
    if (is_loading) {
      if (!has_said) say_step(say(Msg::ready_waiting, to_seconds(ready_timeout)));
      has_said = true;
      std::this_thread::sleep_for(kPause);
    } else if (!may_pass || ++tries > kTries) {
      return refusal(answer);
    }
  }
}

bool GreedyServer::adapt(const Answer& answer) {
  if (answer.http_status != 400 && answer.http_status != 422) return false;
  const std::string words = answer.param + " " + answer.error;
  const auto names = [&](const char* member) { return words.find(member) != std::string::npos; };
  if (options_.logprobs > 0 && names("logprobs")) {
    options_.logprobs = 0;
    warnings_.push_back(dataset::make_warning("logprobs_refused", Msg::warn_logprobs_refused, target_.url.to_string()));
    return true;
  }
  if (sends_seed_ && names("seed")) {
    sends_seed_ = false;
    warnings_.push_back(dataset::make_warning("seed_refused", Msg::warn_seed_refused, target_.url.to_string()));
    return true;
  }
  if (shape_.max_tokens_field == "max_tokens" && names("max_completion_tokens")) {
    shape_.max_tokens_field = "max_completion_tokens";
    warnings_.push_back(dataset::make_warning("max_tokens_renamed", Msg::warn_max_tokens_renamed));
    return true;
  }
  return false;
}

Error GreedyServer::refusal(const Answer& answer) const {
  const std::string where = target_.url.to_string();
  switch (answer.http_status) {
    case 401:
    case 403:
      return {ErrorCode::protocol, say(Msg::ready_unauthorized, where, answer.http_status, answer.error)};
    case 404:
      return {ErrorCode::not_found, say(Msg::ready_not_found, where, shape_.model, answer.error)};
    case 503:
      return {ErrorCode::timed_out, say(Msg::ready_never, where, answer.error)};
    default:
      break;
  }
  const std::string status = answer.http_status ? " " + std::to_string(answer.http_status) : "";
  return {ErrorCode::protocol,
          say(Msg::ready_failed, where, std::string(event::name_of(answer.failure)) + status, answer.error)};
}

}  // namespace scoville::run
