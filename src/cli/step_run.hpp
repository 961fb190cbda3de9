#pragma once

#include <optional>
#include <string>

#include "cli/session.hpp"

namespace scoville::cli {

/// One load of a series: a rate, or a number of users who each send when their last answer has ended.
struct StepLoad {
  std::optional<double> rate;                    ///< requests per second; empty: `users` decide
  bool is_constant = false;                      ///< else Poisson
  std::size_t users = 0;                         ///< requests in flight at most; 0: no cap
  std::size_t requests = 0;                      ///< 0: until `duration` is over
  std::optional<Nanos> duration = std::nullopt;  ///< no request is issued after it
};

/// Measures one load after the other within one session, all in one set: what `saturate` searches with, and `sweep`
/// measures its grid with.
///
/// Each step is a run of its own: arrivals from a seed of its own, prompts that no cache has seen, an empty server at
/// its beginning. What the user said of the load beside that (threads, timeouts, retries) holds for every step. Session
/// and options must outlive it.
class StepRunner {
 public:
  /// `made`: steps that were made before, by whoever goes on with them: their seeds do not come again.
  StepRunner(Session& session, LoadOptions& load, std::string set, std::uint64_t made = 0)
      : session_(session), load_(load), base_(load.plan()), set_(std::move(set)), steps_(made) {}
  /// The options' plan is as it was.
  ~StepRunner() { load_.plan() = base_; }
  StepRunner(const StepRunner&) = delete;
  StepRunner& operator=(const StepRunner&) = delete;

  /// An error where nothing could be measured, the store lost part of it, or an engine of ours has ended.
  Result<Measured> run(const StepLoad& step, bool shows_progress);
  const std::string& set() const { return set_; }

 private:
  Session& session_;
  LoadOptions& load_;
  plan::LoadPlan base_;
  std::string set_;
  std::uint64_t steps_ = 0;
};

}  // namespace scoville::cli
