#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/answer.hpp"
#include "stats/interval.hpp"
#include "stats/quantile.hpp"

namespace scoville::correctness {

/// What answers are cut into to be compared. The names are those of the JSON.
enum class Unit { token, character };
std::string_view name_of(Unit unit);

/// Why `character`: tokens say more, but not every server lists them, and two engines may spell one token differently.
enum class UnitReason { none, not_listed, spelt_differently };

/// One prompt, both answers.
struct PairAgreement {
  bool is_measured = false;                       ///< the reference answered (and, by the rule below, the candidate)
  bool candidate_failed = false;                  ///< counted as different from the first unit on
  std::size_t base_length = 0, other_length = 0;  ///< in units
  std::optional<std::size_t> divergence;          ///< units that agree before the first that differs; empty: identical
  /// Units before the divergence / length of the longer answer. 1 where they are identical, 0 for a failure.
  double prefix_share = 0;

  bool is_identical() const { return is_measured && !candidate_failed && !divergence; }
};

/// What a failed request of the candidate is.
enum class FailedCandidate {
  differs,       ///< against another system: a failure never improves a figure
  not_measured,  ///< against itself: it would lower the ceiling that the other is held against
};

/// Greedy answers to the same prompts: as far as what they agree.
///
/// A prompt is one observation, not its tokens: after the first different token all that follows is different too. A
/// prompt that the reference did not answer is not measured, whatever the candidate did.
struct Agreement {
  Unit unit = Unit::token;
  UnitReason unit_reason = UnitReason::none;
  std::vector<PairAgreement> pairs;
  std::size_t measured = 0, identical = 0, candidate_failed = 0;
  std::optional<double> identical_share;
  std::optional<stats::Interval> identical_interval;       ///< Clopper and Pearson, 95 %
  std::optional<double> prefix_mean, prefix_median;        ///< of prefix_share over the measured prompts
  std::optional<stats::QuantileInterval> prefix_interval;  ///< of the median, by order statistics
  std::size_t diverged = 0;                                ///< measured, answered, not identical
  std::optional<double> divergence_median;                 ///< of `divergence` over those (nearest rank)

  std::size_t not_measured() const { return pairs.size() - measured; }
};

/// `base[i]` and `other[i]` answer the same prompt.
Agreement agreement_of(std::span<const run::Answer> base, std::span<const run::Answer> other, FailedCandidate rule);

/// The characters of a UTF-8 text; a byte that begins none stands alone.
std::vector<std::string_view> characters(std::string_view text);

}  // namespace scoville::correctness
