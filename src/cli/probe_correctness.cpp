#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "base/clock.hpp"
#include "base/run_id.hpp"
#include "cli/arm_options.hpp"
#include "cli/command.hpp"
#include "cli/device_correctness.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "cli/store_options.hpp"
#include "correctness/check.hpp"
#include "report/correctness.hpp"
#include "text/catalogue/numerics.hpp"

namespace scoville::cli {
namespace {

using correctness::Check;
using run::Answer;
using text::Msg;
using text::say;

/// The first failure of an arm in the server's own words.
std::string words_of(const Answer& answer) {
  const std::string status = answer.http_status >= 300 ? " " + std::to_string(answer.http_status) : "";
  return std::string(event::name_of(answer.failure)) + status + (answer.error.empty() ? "" : ": " + answer.error);
}

/// `scoville probe correctness`: do two servers give the same answers, and as many right ones? With --save or
/// --against: does a device compute what it, or another, computed before? (device_correctness.hpp)
class ProbeCorrectness final : public Command {
 public:
  ProbeCorrectness() {
    device_.declare(parameters_);
    arms_.declare(parameters_, text::NumericsMsg::flag_model);
    parameters_.under(Group::prompts);
    parameters_.text("--dataset-path", "FILE", Msg::flag_correct_prompts, prompts_path_);
    parameters_.add({"--num-prompts", "N", Msg::flag_correct_num_prompts, "", [this](std::string_view given) -> Status {
                       Result<std::size_t> value = parse_count(given, 0, 1000000);
                       if (!value) return value.error();
                       num_prompts_ = *value;
                       return Done{};
                     }});
    parameters_.text("--tasks", "FILE", Msg::flag_tasks, tasks_path_);
    parameters_.under(Group::requests);
    parameters_.count("--max-tokens", Msg::flag_correct_max_tokens, max_tokens_, 1, 1000000);
    parameters_.count("--max-concurrency", Msg::flag_correct_concurrency, concurrency_, 1, 1000);
    parameters_.add({"--seed", "N", text::NumericsMsg::flag_seed, "0", [this](std::string_view given) -> Status {
                       Result<std::size_t> value = parse_count(given, 0, std::numeric_limits<std::int64_t>::max());
                       if (!value) return value.error();
                       asking_.seed = *value;
                       return Done{};
                     }});
    parameters_.add({"--logprobs", "N", Msg::flag_correct_logprobs, "5", [this](std::string_view given) -> Status {
                       Result<std::size_t> value = parse_count(given, 0, 20);
                       if (!value) return value.error();
                       asking_.logprobs = static_cast<std::uint32_t>(*value);
                       return Done{};
                     }});
    parameters_.toggle("--no-self-check", Msg::flag_no_self_check, checks_itself_, false);
    parameters_.under(Group::limits);
    parameters_.add({"--accuracy-target", "X", Msg::flag_accuracy_target, "0.99", target_setter(accuracy_target_)});
    parameters_.add({"--agreement-target", "X", Msg::flag_agreement_target, "", target_setter(agreement_target_)});
    parameters_.under(Group::output);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare_for_writing(parameters_);
    parameters_.under(Group::none);
  }

  std::string name() const override { return "probe correctness"; }
  Msg summary() const override { return text::NumericsMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville probe correctness --base-url http://a:8000 --base-url http://b:8000",
            "scoville probe correctness --base-url http://bf16:8000 --base-url http://fp8:8000 --tasks tasks.jsonl",
            "scoville probe correctness --base-url http://a:8000 --tasks examples/tasks/small.jsonl --num-prompts 0",
            "scoville probe correctness --device cpu --model tiny --save base",
            "scoville probe correctness --device cuda --dtype bf16 --variants int8 --against base"};
  }

  Exit run() override {
    catch_stop_signals();
    if (device_.is_asked()) return run_device();
    Result<Check> check = measure();
    if (!check) {
      if (stop_requested()) {
        complain(say(Msg::correct_stopped));
        return Exit::interrupted;
      }
      complain(check.error().message);
      return check.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
    }
    const json::object body = report::correctness_json(*check);
    std::fputs(as_json_ ? pretty(body).c_str() : report::correctness_table(*check).c_str(), stdout);
    if (const Status kept = keep(*check, body); !kept) {
      complain(kept.error().message);
      return Exit::failed;
    }
    switch (check->gate.verdict) {
      case correctness::GateVerdict::fail:
        return Exit::gate;
      case correctness::GateVerdict::cannot_tell:
        return Exit::cannot_tell;
      default:
        return Exit::fine;
    }
  }

 private:
  Exit run_device() {
    if (arms_.has_urls() || !tasks_path_.empty()) {
      complain(say(text::NumericsMsg::device_or_servers));
      return Exit::usage;
    }
    return device_.run({arms_.only_model(), static_cast<std::uint64_t>(asking_.seed), as_json_});
  }

  static std::function<Status(std::string_view)> target_setter(std::optional<double>& target) {
    return [&target](std::string_view given) -> Status {
      Result<double> value = parse_number(given, 0.01, 1);
      if (!value) return value.error();
      target = *value;
      return Done{};
    };
  }

  Status settle() {
    if (Status settled = arms_.settle(); !settled) return settled;
    const auto usage = [](Msg what) { return Error{ErrorCode::invalid_argument, say(what)}; };
    const bool has_two = arms_.count() > 1;
    const bool asks_prompts = num_prompts_ > 0 && (has_two || checks_itself_);
    if (!asks_prompts && tasks_path_.empty()) return usage(Msg::correct_nothing);
    if (accuracy_target_ && (!has_two || tasks_path_.empty())) return usage(Msg::correct_accuracy_needs);
    if (agreement_target_ && (!has_two || num_prompts_ == 0)) return usage(Msg::correct_agreement_needs);
    const bool is_chat = arms_.dialect() == plan::Dialect::openai;
    if (!tasks_path_.empty()) {
      Result<correctness::TaskFile> tasks = correctness::read_tasks(tasks_path_, is_chat);
      if (!tasks) return tasks.error();
      tasks_ = std::move(*tasks);
    }
    if (asks_prompts) {
      Result<correctness::PromptSet> prompts = correctness::read_prompts(prompts_path_, num_prompts_, is_chat);
      if (!prompts) return prompts.error();
      prompts_ = std::move(*prompts);
    }
    return Done{};
  }

  Result<Check> measure() {
    if (Status settled = settle(); !settled) return settled.error();
    if (store_.keeps()) {  // what is wrong with it shows before the answers, not after them
      Result<store::RunStore> store = store_.open();
      if (!store) return store.error();
      kept_in_.emplace(std::move(*store));
    }
    asking_.concurrency = concurrency_;
    Result<std::vector<ReadyArm>> arms = arms_.open(asking_, static_cast<std::uint32_t>(max_tokens_));
    if (!arms) return arms.error();
    Check check = begun(*arms);
    if (Status asked = ask_prompts(check, *arms); !asked) return asked.error();
    if (Status asked = ask_tasks(check, *arms); !asked) return asked.error();
    if (Status alive = check_alive(check); !alive) return alive.error();
    judge(check);
    add_doubts(check);
    return check;
  }

  Check begun(const std::vector<ReadyArm>& arms) const {
    Check check;
    check.id = new_run_id();
    check.tag = store_.tag();
    check.asking = {std::string(plan::name_of(arms_.dialect())), asking_.seed, static_cast<std::uint32_t>(max_tokens_),
                    asking_.logprobs, concurrency_};
    for (const ReadyArm& each : arms) {
      correctness::Arm& arm = check.arms.emplace_back();
      arm.url = each.server.target().url.to_string();
      arm.model = each.server.shape().model;
      arm.system = each.system;
      for (const dataset::Warning& warning : each.server.warnings()) check.warnings.push_back(warning);
    }
    check.prompts_name = prompts_.name;
    check.prompts_hash = prompts_.hash;
    check.tasks_name = tasks_.name;
    check.tasks_sha256 = tasks_.sha256;
    for (const correctness::Task& each : tasks_.tasks) check.task_ids.push_back(each.id);
    for (const dataset::Warning& warning : prompts_.warnings) check.warnings.push_back(warning);
    check.accuracy_target = accuracy_target_.value_or(kAccuracyTarget);
    check.agreement_target = agreement_target_;
    return check;
  }

  /// All answers of one arm; its failures are counted.
  Result<std::vector<Answer>> ask(Check& check, const std::vector<ReadyArm>& arms, std::size_t place,
                                  const std::vector<dataset::Prompt>& prompts) {
    LiveLine line;
    std::size_t count = 0;
    const Instant began = now();
    const auto done = [&] {
      ++count;
      if (!line.is_due()) return;
      line.show(say(Msg::correct_progress, say(place == 0 ? Msg::row_reference : Msg::row_candidate), count,
                    prompts.size(), fmt::format("{:.0f}", to_seconds(now() - began))));
    };
    std::vector<Answer> answers = arms[place].server.ask_all(prompts, stop_requested(), done);
    if (stop_requested()) return Error{ErrorCode::aborted, say(Msg::correct_stopped)};
    first_failures_.resize(arms.size());
    for (const Answer& each : answers) {
      ++check.arms[place].asked;
      if (each.succeeded()) continue;
      ++check.arms[place].failed;
      if (first_failures_[place].empty()) first_failures_[place] = words_of(each);
    }
    return answers;
  }

  Status ask_prompts(Check& check, const std::vector<ReadyArm>& arms) {
    if (prompts_.prompts.empty()) return Done{};
    Result<std::vector<Answer>> base = ask(check, arms, 0, prompts_.prompts);
    if (!base) return base.error();
    if (arms.size() > 1) {
      Result<std::vector<Answer>> other = ask(check, arms, 1, prompts_.prompts);
      if (!other) return other.error();
      check.agreement = correctness::agreement_of(*base, *other, correctness::FailedCandidate::differs);
      check.logprobs = correctness::logprob_distance(*base, *other, *check.agreement);
    }
    if (!checks_itself_) return Done{};
    Result<std::vector<Answer>> again = ask(check, arms, 0, prompts_.prompts);
    if (!again) return again.error();
    check.self_agreement = correctness::agreement_of(*base, *again, correctness::FailedCandidate::not_measured);
    return Done{};
  }

  Status ask_tasks(Check& check, const std::vector<ReadyArm>& arms) {
    if (tasks_.tasks.empty()) return Done{};
    std::vector<dataset::Prompt> prompts;
    for (const correctness::Task& each : tasks_.tasks) prompts.push_back(each.prompt);
    for (std::size_t i = 0; i < arms.size(); ++i) {
      Result<std::vector<Answer>> answers = ask(check, arms, i, prompts);
      if (!answers) return answers.error();
      check.arms[i].score = correctness::score_of(tasks_, *answers);
    }
    if (arms.size() > 1) check.scores = correctness::compare_scores(*check.arms[0].score, *check.arms[1].score);
    return Done{};
  }

  Status check_alive(const Check& check) const {
    for (std::size_t i = 0; i < check.arms.size(); ++i) {
      const correctness::Arm& arm = check.arms[i];
      if (arm.asked == 0 || arm.failed < arm.asked) continue;
      return Error{ErrorCode::protocol, say(Msg::correct_arm_dead, arm.url, arm.asked, first_failures_[i])};
    }
    return Done{};
  }

  void judge(Check& check) const {
    std::optional<correctness::GateAnswer> tasks, agreement;
    if (check.scores) {
      tasks = correctness::gate_of_scores(*check.scores, check.task_ids.size(), check.accuracy_target);
    }
    if (check.agreement && agreement_target_) {
      agreement = correctness::gate_of_agreement(*check.agreement, *agreement_target_);
    }
    check.gate = correctness::join(tasks, agreement, check.has_candidate());
  }

  void add_doubts(Check& check) const {
    const auto add = [&](const char* code, Msg key, const auto&... args) {
      check.warnings.push_back(dataset::make_warning(code, key, args...));
    };
    if (check.self_agreement && check.self_agreement->identical < check.self_agreement->measured) {
      add("reference_not_deterministic", Msg::warn_not_deterministic, check.self_agreement->identical,
          check.self_agreement->measured);
    }
    if (concurrency_ > 1) add("concurrency_above_one", Msg::warn_concurrency, concurrency_);
    const auto& told = check.agreement ? check.agreement : check.self_agreement;
    if (told && told->unit_reason == correctness::UnitReason::not_listed) add("tokens_not_listed", Msg::warn_no_tokens);
    if (told && told->unit_reason == correctness::UnitReason::spelt_differently)
      add("tokens_spelt_differently", Msg::warn_spelt_differently);
    for (std::size_t i = 0; i < check.arms.size(); ++i) {
      const correctness::Arm& arm = check.arms[i];
      if (arm.failed > 0)
        add("requests_failed", Msg::warn_arm_failed, arm.url, arm.failed, arm.asked, first_failures_[i]);
      if (!arm.score) continue;
      if (arm.score->cut_off > 0) add("answers_cut_off", Msg::warn_cut_off, arm.url, arm.score->cut_off);
      if (arm.score->too_complex > 0) add("regex_too_complex", Msg::warn_too_complex, arm.url, arm.score->too_complex);
    }
  }

  Status keep(const Check& check, const json::object& body) {
    if (!kept_in_) return Done{};
    const json::value* const subject = body.if_contains("subject");
    const std::string key = subject && subject->is_string() ? std::string(subject->get_string()) : "";
    if (Status added = kept_in_->add_finding({check.id, "correctness", key, {}, body}); !added) return added;
    std::fprintf(stderr, "%s\n", say(Msg::correct_stored, check.id, kept_in_->path()).c_str());
    return Done{};
  }

  static constexpr double kAccuracyTarget = 0.99;  // MLPerf's: 99 % of the reference

  DeviceCorrectness device_;
  ArmOptions arms_;
  StoreOptions store_;
  run::GreedyOptions asking_;
  std::string prompts_path_, tasks_path_;
  std::size_t num_prompts_ = std::numeric_limits<std::size_t>::max(), max_tokens_ = 128, concurrency_ = 1;
  std::optional<double> accuracy_target_, agreement_target_;
  bool checks_itself_ = true, as_json_ = false;
  correctness::PromptSet prompts_;
  correctness::TaskFile tasks_;
  std::optional<store::RunStore> kept_in_;
  std::vector<std::string> first_failures_;
};

}  // namespace

std::unique_ptr<Command> make_probe_correctness() { return std::make_unique<ProbeCorrectness>(); }

}  // namespace scoville::cli
