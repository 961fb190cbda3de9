#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scoville::stats {

/// Many comparisons at once: of twenty that are nothing, one shows p < 0.05. Answers stand in the order of the
/// question; nullopt where a p is outside [0, 1] or alpha outside (0, 1).

/// For the declared primary family: with these, the chance of *any* false difference is at most α, whatever the
/// comparisons have to do with each other. Of p sorted ascending, max over j <= i of min(1, (m - j + 1) p_j) (Holm
/// 1979).
std::optional<std::vector<double>> holm_adjusted(std::span<const double> p);

/// For the exploratory grid: of the differences called, on average at most a share α is false, where the comparisons
/// are independent or go together. Min over j >= i of min(1, m p_j / j) (Benjamini and Hochberg 1995).
std::optional<std::vector<double>> benjamini_hochberg_adjusted(std::span<const double> p);

/// The level of each interval for all m to hold together at 1 - α: 1 - α/m (Bonferroni; Holm's steps have no simple
/// interval of their own). m >= 1.
std::optional<double> family_interval_level(double alpha, std::size_t m);

/// How many comparisons a family may have so that one difference can still be shown: floor(α / smallest p). With five
/// runs each (p >= 0.0079) at 5 %: six. With three: none. `smallest_p` in (0, 1], from smallest_rank_sum_p or
/// smallest_signed_rank_p. A larger family is to be refused before it is measured.
std::optional<std::size_t> largest_family(double smallest_p, double alpha = 0.05);

}  // namespace scoville::stats
