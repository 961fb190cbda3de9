#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace scoville::stats {

/// What the instrument shows where nothing changed: the system as A and once more as A', through the whole pipeline.
/// Needed before the first comparison and after any change of driver, firmware or host.
constexpr std::size_t kFewestSamePairs = 10;

/// exp(P95 of |ln ratio|, type 7) - 1, as a relative difference, of the ratios A' / A of pairs. Nullopt with fewer than
/// kFewestSamePairs, or a ratio that is not finite and > 0.
std::optional<double> noise_floor(std::span<const double> ratios);

/// P(X >= differences), X ~ Bin(tests, alpha): how likely so many of the A/A tests call a difference if all is well. Of
/// 20 tests at 5 %, four or more have 0.0159. Nullopt for no test, more differences than tests, or alpha outside (0,
/// 1).
std::optional<double> chance_of_false_calls(std::uint64_t differences, std::uint64_t tests, double alpha = 0.05);

/// Below this chance the harness is held to be broken, and comparisons are refused.
constexpr double kBrokenHarness = 0.05;

}  // namespace scoville::stats
