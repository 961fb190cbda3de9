#include <cstdio>

#include "base/json.hpp"
#include "base/rng.hpp"
#include "cli/command.hpp"
#include "cli/stop.hpp"
#include "cli/target_options.hpp"
#include "report/once.hpp"
#include "run/models.hpp"
#include "run/single.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville once`: one request under the microscope.
class Once final : public Command {
 public:
  Once() {
    target_.declare(parameters_);
    parameters_.text("--prompt", "TEXT", Msg::flag_prompt, prompt_);
    parameters_.count("--max-tokens", Msg::flag_max_tokens, max_tokens_, 1, 1000000000);
    parameters_.count("--n", Msg::flag_n, n_, 1, 128);
    parameters_.count("--requests", Msg::flag_requests, requests_, 1, 1000);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "once"; }
  Msg summary() const override { return Msg::once_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville once --base-url http://127.0.0.1:8000/v1 --prompt 'Hello'",
            "scoville once --base-url http://127.0.0.1:8000 --dialect openai-completions --max-tokens 32 --json"};
  }

  Exit run() override {
    catch_stop_signals();
    if (Status settled = target_.settle(); !settled) return usage(settled.error());
    Result<wire::Url> base = target_.base();
    if (!base) return usage(base.error());
    Result<wire::Target> target = wire::make_target(*base, target_.wire);
    if (!target) return unreachable(target.error());
    if (target_.shape.model.empty()) {
      Result<std::string> model = run::first_model(*target, target_.shape);
      if (!model) return fail(model.error());
      target_.shape.model = *model;
    }
    target_.shape.max_tokens = static_cast<std::uint32_t>(max_tokens_);
    target_.shape.n = static_cast<std::uint32_t>(n_);
    const auto dialect = load::make_dialect(target_.shape.dialect);
    Result<wire::Url> url = target_.generation_url(*dialect);
    if (!url) return usage(url.error());
    target->url = *url;

    dataset::Prompt prompt;
    prompt.text = prompt_;
    prompt.hash = hash_bytes(prompt_);
    auto records = run::run_single(*target, target_.wire, *dialect, target_.shape, target_.timeouts, prompt, requests_,
                                   stop_requested());
    if (!records) return unreachable(records.error());
    const event::RequestRecord& first = records->front();
    const event::RequestRecord* second = records->size() > 1 ? &(*records)[1] : nullptr;
    const report::OnceSubject subject{target->url.to_string(), target->address.to_string(), target_.shape.model,
                                      target->dns_took};
    if (as_json_) {
      std::fputs(pretty(report::once_json(first, second, subject, target_.shape)).c_str(), stdout);
    } else {
      std::fputs(report::once_timeline(first, second, subject, target_.shape).c_str(), stdout);
    }
    if (stop_requested()) return Exit::interrupted;
    return first.succeeded() ? Exit::fine : Exit::failed;
  }

 private:
  Exit usage(const Error& error) {
    complain(error.message);
    return Exit::usage;
  }
  Exit fail(const Error& error) {
    complain(error.message);
    return Exit::failed;
  }
  /// No connection at all: with --json that too is one object of the documented keys.
  Exit unreachable(const Error& error) {
    complain(error.message);
    if (as_json_ && !stop_requested()) {
      std::fputs(pretty(report::once_unreachable_json(error, target_.shape)).c_str(), stdout);
    }
    return stop_requested() ? Exit::interrupted : Exit::failed;
  }

  TargetOptions target_;
  std::string prompt_ = "Hello";
  std::size_t max_tokens_ = 64, n_ = 1, requests_ = 1;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_once() { return std::make_unique<Once>(); }

}  // namespace scoville::cli
