#include "stats/detectable.hpp"

#include <cmath>

#include "stats/distributions.hpp"
#include "stats/finite.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/search.hpp"
#include "stats/signed_rank.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {
namespace {

bool is_share(double value) { return value > 0 && value < 1; }

std::optional<double> cv_of(std::span<const double> values) {
  const auto summary = summarize(values);
  if (!summary || !summary->sample_std || !(summary->mean > 0)) return std::nullopt;
  return if_finite(*summary->sample_std / summary->mean);
}

double smallest_p(std::size_t runs, bool is_paired) {
  return is_paired ? smallest_signed_rank_p(runs) : smallest_rank_sum_p(runs, runs);
}

}  // namespace

std::optional<double> detectable_spreads(std::size_t runs, const Design& design) {
  if (runs < 2 || runs > kMostRuns || !is_share(design.alpha) || !is_share(design.power)) return std::nullopt;
  if (design.power <= design.alpha) return std::nullopt;
  const auto n = static_cast<double>(runs);
  const double freedom = design.is_paired ? n - 1 : 2 * n - 2;
  const double shift = student_t_shift(freedom, design.alpha, design.power);
  return if_finite(shift / std::sqrt(design.is_paired ? n : n / 2));
}

std::optional<double> detectable_effect(std::size_t runs, double cv, const Design& design) {
  const auto spreads = detectable_spreads(runs, design);
  if (!spreads || !(cv >= 0)) return std::nullopt;
  return if_finite(*spreads * cv);
}

std::optional<std::size_t> runs_to_resolve(double difference, double cv, const Design& design) {
  if (!(difference > 0) || !(cv >= 0) || !std::isfinite(cv) || !detectable_spreads(2, design)) return std::nullopt;
  const auto enough = [&](std::size_t runs) {
    return smallest_p(runs, design.is_paired) <= design.alpha &&
           detectable_effect(runs, cv, design).value_or(HUGE_VAL) <= difference;
  };
  const std::size_t runs = first_where(2, kMostRuns + 1, enough);
  return runs > kMostRuns ? std::nullopt : std::optional(runs);
}

std::optional<double> pooled_cv(std::span<const double> base, std::span<const double> other) {
  const auto a = cv_of(base), b = cv_of(other);
  if (!a || !b) return std::nullopt;
  return if_finite(std::sqrt((*a * *a + *b * *b) / 2));
}

}  // namespace scoville::stats
