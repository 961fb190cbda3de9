#pragma once

#include <map>
#include <memory>
#include <string>

#include "cli/built_in_endpoint.hpp"
#include "cli/launched_engine.hpp"
#include "evaluate/plan.hpp"

namespace scoville::cli {

/// The servers of an evaluation: those that are there already, and those that it starts when the first step needs them
/// and stops in the end.
class EvaluationEngines {
 public:
  /// `plan` must outlive it. `is_dry`: a scripted endpoint stands for every system.
  EvaluationEngines(const evaluate::Plan& plan, const StoreOptions& store, bool is_dry);
  ~EvaluationEngines();

  /// Where this system answers; started if need be. The error says what kept it from being ready.
  Result<std::string> address(std::size_t system);
  /// Those that have ended by themselves, in one line; null while all run.
  std::optional<Error> loss() const;

 private:
  struct Started;
  Result<std::string> start_scripted(std::size_t system);
  Result<std::string> start_launched(std::size_t system);

  const evaluate::Plan& plan_;
  const StoreOptions& store_;
  bool is_dry_;
  std::map<std::size_t, std::unique_ptr<Started>> started_;
};

}  // namespace scoville::cli
