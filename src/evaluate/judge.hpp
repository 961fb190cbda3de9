#pragma once

#include <optional>
#include <string>

#include "evaluate/findings.hpp"
#include "evaluate/plan.hpp"
#include "matrix/matrix.hpp"

namespace scoville::evaluate {

/// Figures that come neither from runs nor from `results:`: of the cost study and of the work breakdown.
struct Beside {
  matrix::Estimate cost_ratio;  ///< candidate's cost of a token ÷ the baseline's
  matrix::Estimate engineer_months, upkeep_months;
};

/// What is known of a candidate, put into the rows of the matrix: what was measured by us, then what others brought. A
/// figure that the gate refused is not there, and says which field refused it.
matrix::Inputs inputs_for(const Plan& plan, const Findings& findings, const System& candidate, const Beside& beside);

/// Whether a named pilot scenario was met: its limits, from the candidate's interval, and the comparison let through.
matrix::Pilot judge_pilot(const Findings& findings, const Workload& workload, const std::string& candidate);

/// The measure of the matrix that a limit is about: "ttft_p95".
std::string measure_of(const plan::Slo& slo);

}  // namespace scoville::evaluate
