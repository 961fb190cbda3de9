#pragma once

#include <optional>
#include <span>

namespace scoville::stats {

/// Exact two-sided p of the difference of means: in what share of all ways to deal the values to arms of these sizes
/// the means are at least as far apart (Pitman 1937). Printed beside the rank test; it also weighs by how much.
///
/// Up to kMostDeals ways (eleven and eleven; 0.1 s), nullopt beyond it, for an empty arm and where a value is not
/// finite.
constexpr double kMostDeals = 1e6;
std::optional<double> permutation_p_of_means(std::span<const double> base, std::span<const double> other);

}  // namespace scoville::stats
