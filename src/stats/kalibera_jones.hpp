#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace scoville::stats {

/// Where to spend the next hour: more requests in a run, more runs, or more restarts? (Kalibera and Jones, Rigorous
/// Benchmarking in Reasonable Time, ISMM 2013, section 6.)
///
/// Levels count from the innermost: requests in a run, runs of one start, starts of one machine …

/// How much each level adds to the variance: T_1² = S_1², T_i² = S_i² - S_{i-1}² / r_{i-1}, where S_i² is the mean
/// sample variance of the means seen at level i, and r_i how often level i was repeated. May come out below 0: then
/// that level adds nothing that can be seen. `repeats` one shorter than `variances` or more, each >= 1; else nullopt,
/// as for no level or a variance that is negative or not finite.
std::optional<std::vector<double>> added_variances(std::span<const double> variances,
                                                   std::span<const std::uint64_t> repeats);

struct RepeatBudget {
  /// √((c_{i+1} / c_i) (T_i² / T_{i+1}²)). Nullopt: the level above adds no variance, so all repeats belong here, as
  /// many as the time allows.
  std::optional<double> exact;
  std::optional<std::uint64_t> repeats;  ///< rounded up, at least 1
};

/// How often to repeat each level but the outermost, for the least variance in a given time; the outermost is repeated
/// until the time is used up. `costs[i]` is what one more repeat at level i costs beyond the levels inside it (a
/// warm-up, a restart), all in one unit, > 0. Variances from added_variances. Nullopt with fewer than two levels,
/// lengths that differ, a cost not > 0 or a value that is not finite.
std::optional<std::vector<RepeatBudget>> repeat_budget(std::span<const double> added_variances,
                                                       std::span<const double> costs);

}  // namespace scoville::stats
