#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decide/comparison.hpp"
#include "evaluate/plan.hpp"
#include "text/catalogue.hpp"

namespace scoville::evaluate {

/// What was measured of one workload: of the baseline and a candidate, or of the baseline alone.
struct Serving {
  std::string workload, candidate;               ///< candidate empty: the baseline alone
  std::optional<decide::Arm> base, other;        ///< empty: nothing was measured
  std::optional<decide::Comparison> comparison;  ///< empty: a side is missing
  text::Phrase why_none;                         ///< why there is no comparison, or why the gate refused it
  std::vector<text::Phrase> doubts;
};

/// What `probe correctness` said of a candidate: docs/formats/correctness.md.
struct CorrectnessFinding {
  std::string candidate, id;
  std::string verdict;  ///< of its gate: pass, fail, cannot_tell, not_measured
  /// Candidate ÷ reference on the tasks; the share of identical answers. Each with its interval and number.
  struct Share {
    std::optional<double> value, low, high;
    std::size_t n = 0;
  };
  std::optional<Share> score_ratio, agreement, self_agreement;
};

/// All that the evaluation measured.
struct Findings {
  std::vector<Serving> serving;
  std::vector<CorrectnessFinding> correctness;

  const Serving* find(const std::string& workload, const std::string& candidate) const;
  const CorrectnessFinding* find_correctness(const std::string& candidate) const;
};

/// One number of each run of an arm, and what they say together; empty for a metric that there is not, or no run.
std::optional<analyse::SetFigure> figure_of(const decide::Arm& arm, std::string_view metric);

/// From the stored object. Members that are not there leave theirs empty.
CorrectnessFinding correctness_from(const json::object& stored, std::string candidate);

}  // namespace scoville::evaluate
