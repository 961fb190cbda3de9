#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace scoville::stats {

/// How many values stand far from the rest: |x - median| > 14.826 · MAD, the median absolute deviation. For normal
/// values that is ten standard deviations (a modified z of Iglewicz and Hoaglin over 10), so chance is no excuse.
///
/// They are counted and shown, never deleted: a stall that happens once in an hour is what a P99 is for. With over 5 %
/// of runs the set is to be measured again. Nullopt for no value, a value that is not finite, and where more than half
/// are equal (MAD 0) but not all: there is no spread to measure by.
std::optional<std::size_t> count_outliers(std::span<const double> values);

constexpr double kOutlierDeviations = 14.826;
constexpr double kMostOutliers = 0.05;

}  // namespace scoville::stats
