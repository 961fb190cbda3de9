#include "stats/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace scoville::stats {
namespace {

bool is_size(double value) { return value >= 0 && std::isfinite(value); }

Verdict of_interval(const CoveredInterval& ratio, double margin) {
  const double high = 1 + margin, low = 1 / high;
  if (ratio.lower > high) return Verdict::faster;
  if (ratio.upper < low) return Verdict::slower;
  if (ratio.lower >= low && ratio.upper <= high) return Verdict::equivalent;
  if (ratio.lower > 1) return Verdict::faster_size_uncertain;
  if (ratio.upper < 1) return Verdict::slower_size_uncertain;
  return Verdict::inconclusive;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "faster";
    case Verdict::faster_size_uncertain:
      return "faster_size_uncertain";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::slower_size_uncertain:
      return "slower_size_uncertain";
    case Verdict::slower:
      return "slower";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  SCOVILLE_CHECK(false, "every verdict has a name");
}

std::string_view name_of(Inconclusive reason) {
  switch (reason) {
    case Inconclusive::none:
      return "none";
    case Inconclusive::too_few_runs:
      return "too_few_runs";
    case Inconclusive::not_resolved:
      return "not_resolved";
  }
  SCOVILLE_CHECK(false, "every reason has a name");
}

std::optional<double> margin_for(std::optional<double> aa_floor, double least) {
  if (!is_size(least) || !is_size(aa_floor.value_or(0))) return std::nullopt;
  return std::max(least, 2 * aa_floor.value_or(0));
}

std::optional<Estimate> oriented(const Estimate& ratio, Better better) {
  if (!(ratio.value > 0) || (ratio.interval && !(ratio.interval->lower > 0))) return std::nullopt;
  if (better == Better::higher) return ratio;
  Estimate turned{1 / ratio.value, std::nullopt};
  if (ratio.interval) {
    turned.interval = {1 / ratio.interval->upper, 1 / ratio.interval->lower, ratio.interval->coverage};
  }
  return turned;
}

std::optional<Judgement> judge(const std::optional<CoveredInterval>& ratio, double margin, double p, double alpha) {
  if (!is_size(margin) || !(p >= 0 && p <= 1) || !(alpha > 0 && alpha < 1)) return std::nullopt;
  if (!ratio) return Judgement{Verdict::inconclusive, Inconclusive::too_few_runs};
  if (!(ratio->lower > 0 && ratio->lower <= ratio->upper) || !std::isfinite(ratio->upper)) return std::nullopt;
  const Verdict verdict = of_interval(*ratio, margin);
  if (verdict == Verdict::inconclusive || (verdict != Verdict::equivalent && p > alpha)) return Judgement{};
  return Judgement{verdict, Inconclusive::none};
}

}  // namespace scoville::stats
