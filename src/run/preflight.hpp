#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dataset/prompt_source.hpp"
#include "dataset/warning.hpp"
#include "load/dialect.hpp"
#include "plan/bench_plan.hpp"
#include "run/prompt_making.hpp"
#include "wire/target.hpp"

namespace scoville::run {

/// A server that has answered one real generation, and prompts fit for it.
struct ReadyServer {
  wire::Target target;       ///< at the final generation URL
  plan::RequestShape shape;  ///< as this server takes it
  std::unique_ptr<dataset::PromptSource> prompts;
  std::string token_method;  ///< how prompt lengths were made sure of; empty for a file
  bool prompt_length_is_exact = false;
  std::int64_t fixed_prompt_tokens = 0;  ///< template, BOS and first word
  std::vector<dataset::Warning> warnings;
  Moment first_token;  ///< of the first generation that it answered with one
};

struct PreflightOptions {
  wire::Url base;
  std::string endpoint;  ///< path instead of the dialect's own; empty: that one
  wire::TargetOptions wire;
  plan::RequestShape shape;
  plan::Timeouts timeouts;
  PromptPlan prompts;
  Nanos ready_timeout = std::chrono::seconds(60);  ///< for a server that is still loading
  bool waits_for_connection = false;               ///< and for one that does not listen yet
};

/// Everything before t = 0: connects, finds the model, sends real generations until one is complete (redirects are
/// resolved, a request member that this server refuses is left out and said), and makes prompts of exact length.
/// `say_step` is told what is going on, in a sentence. Errors say what to do about it.
Result<ReadyServer> get_ready(const PreflightOptions& options, const load::Dialect& dialect,
                              const std::atomic<bool>& stop, const std::function<void(const std::string&)>& say_step);

}  // namespace scoville::run
