#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scoville::stats {

/// One measured point of a sweep; more is better in both. Usually x = tokens/s a user sees (1/TPOT at a chosen
/// percentile), y = tokens/s per accelerator, per kW or per unit of money. Both finite and >= 0, or every answer below
/// is nullopt.
struct TradeOff {
  double x = 0;
  double y = 0;

  friend bool operator==(const TradeOff&, const TradeOff&) = default;
};

/// Which points no other beats in one and equals in the other, as places in `points`, by ascending x. Of equal points
/// the first. Empty for no points.
std::optional<std::vector<std::size_t>> frontier(std::span<const TradeOff> points);

/// The place of the measured point with the largest y among those with x >= target: a step, no interpolation, and
/// nothing beyond the last point (MLPerf Endpoints reads it so). Nullopt also where no point reaches the target.
std::optional<std::size_t> best_at(std::span<const TradeOff> points, double target);

/// y of other / y of base at that target. Who wins depends on x, so there is no ratio without one. Nullopt where either
/// has no point there, or y of base is 0.
std::optional<double> ratio_at(std::span<const TradeOff> base, std::span<const TradeOff> other, double target);

/// The area that the frontier covers from (0, 0), in the product of both units. For a picture of the whole; two systems
/// with equal areas may each win by far at different x.
std::optional<double> hypervolume(std::span<const TradeOff> points);

}  // namespace scoville::stats
