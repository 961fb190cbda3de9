#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dataset/prompt_source.hpp"
#include "dataset/warning.hpp"
#include "load/dialect.hpp"
#include "plan/bench_plan.hpp"
#include "run/answer.hpp"
#include "wire/target.hpp"

namespace scoville::run {

/// What is asked of each server of a comparison, beside the prompt.
struct GreedyOptions {
  std::uint64_t seed = 0;       ///< sent with each request; greedy decoding should not need it
  std::uint32_t logprobs = 5;   ///< how many of the likeliest tokens are asked for; 0: no logprobs at all
  std::size_t concurrency = 1;  ///< requests at a time: a batch of another size may round otherwise
};

/// A server that is asked for its likeliest answer: temperature 0, top_p 1, one fixed seed, the answer in one piece.
///
/// Nothing is timed here, so each request is a plain fetch over a connection of its own, and the answer is kept whole.
class GreedyServer {
 public:
  /// `target.url` is the generation URL. `shape.extra_body` holds members of the user, which win.
  GreedyServer(wire::Target target, plan::RequestShape shape, Nanos timeout, const GreedyOptions& options);

  /// One real generation, until one succeeds: 503 is waited for, and a member that this server refuses (seed,
  /// logprobs, the name of max_tokens) is left out or renamed, which warnings() tell. `say_step` is told of the wait.
  /// The error says what the server said.
  Status get_ready(Nanos ready_timeout, const std::atomic<bool>& stop,
                   const std::function<void(const std::string&)>& say_step);

  Answer ask(const dataset::Prompt& prompt) const;
  /// One answer a prompt, in their order; `done` is called after each, never by two threads at once. Stopped: the
  /// answers that did not come have Failure::aborted.
  std::vector<Answer> ask_all(const std::vector<dataset::Prompt>& prompts, const std::atomic<bool>& stop,
                              const std::function<void()>& done) const;

  const plan::RequestShape& shape() const { return shape_; }
  const wire::Target& target() const { return target_; }
  const std::vector<dataset::Warning>& warnings() const { return warnings_; }

 private:
  std::string body(const dataset::Prompt& prompt) const;
  bool adapt(const Answer& answer);
  Error refusal(const Answer& answer) const;

  wire::Target target_;
  plan::RequestShape shape_;
  std::string user_extra_;
  Nanos timeout_;
  GreedyOptions options_;
  bool sends_seed_ = true;
  std::unique_ptr<load::Dialect> dialect_;
  std::vector<dataset::Warning> warnings_;
};

}  // namespace scoville::run
