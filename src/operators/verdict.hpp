#pragma once

#include <set>
#include <string>
#include <vector>

#include "operators/case_result.hpp"

namespace scoville::operators {

enum class Verdict {
  supported,    ///< every case ran on the device, with the right numbers
  partial,      ///< some of it: the shortfalls say what is missing
  unsupported,  ///< refused in every case
  absent,       ///< not in this build of the framework: not the device's fault
  crash,        ///< at least one case ended the process
  timeout,      ///< at least one case never came back
  oom,          ///< memory ran out in every case that was tried
  skipped,      ///< not asked
};
std::string_view name_of(Verdict verdict);
std::optional<Verdict> verdict_named(std::string_view name);

/// What is missing of a partial one.
enum class Shortfall {
  dtypes,        ///< some refused in every shape and direction
  shapes,        ///< some refused in every dtype that runs
  directions,    ///< one refused throughout
  combinations,  ///< refused in a pattern that is none of these
  numerics,      ///< it ran, and computed something else
  fallback,      ///< computed on the CPU
  wrong_device,  ///< the result lies on another device
};
std::string_view name_of(Shortfall shortfall);

/// One operator, judged.
struct Finding {
  std::string name;  ///< Operator::title()
  std::string since;
  Verdict verdict = Verdict::skipped;
  std::set<Shortfall> shortfalls;
  std::vector<CaseResult> cases;
};

/// Rules: docs/formats/operators.md.
Finding find(const Operator& op, std::vector<CaseResult> cases);

/// What the refused cases have in common: dtypes, shapes or directions that are refused throughout while others run.
struct Missing {
  std::vector<std::string> dtypes, shapes, directions;
  std::size_t others = 0;  ///< refused cases that none of these explains
};
Missing missing_in(const std::vector<CaseResult>& cases);

}  // namespace scoville::operators
