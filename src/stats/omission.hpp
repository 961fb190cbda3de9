#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scoville::stats {

/// What a closed loop would have seen, had it gone on sending while it waited: an estimate for a warning, never a
/// result.
///
/// A client that waits for each answer sends nothing during a stall, so the stall counts once instead of hitting every
/// request that was due in it (coordinated omission, Tene). Each value v > e, e the expected interval between requests,
/// gets the company of v - e, v - 2e, … down to e: HdrHistogram's recordValueWithExpectedInterval.
///
/// Returns all values, the measured and the added, ascending. Nullopt where e is not positive or not finite, where a
/// value is negative or not finite, and where more than kMostCorrected would come out.
std::optional<std::vector<double>> correct_omission(std::span<const double> values, double expected_interval);

constexpr std::size_t kMostCorrected = 20'000'000;

}  // namespace scoville::stats
