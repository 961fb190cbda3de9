#include "cost/uncertainty.hpp"

#include <algorithm>
#include <cmath>

#include "cost/break_even.hpp"

namespace scoville::cost {
namespace {

double saving_at(Model model, std::size_t option, double first_scale, double option_scale) {
  model.plants[0][In::perf_scale] = first_scale;
  model.plants[option][In::perf_scale] = option_scale;
  return model.saving(option);
}

}  // namespace

Saving saving_of(const Model& model, std::size_t option, const std::vector<ScaleRange>& ranges) {
  Saving out;
  out.value = model.saving(option);
  out.interval = {out.value, out.value};
  for (const double first : {ranges[0].low, ranges[0].high}) {
    for (const double own : {ranges[option].low, ranges[option].high}) {
      const double at = saving_at(model, option, first, own);
      out.interval = {std::min(out.interval.lower, at), std::max(out.interval.upper, at)};
    }
  }
  const auto is_sure = [&](std::size_t i) { return model.plants[i].kind == Kind::api || ranges[i].is_known; };
  out.has_interval = is_sure(0) && is_sure(option);
  if (out.interval.lower > 0) out.verdict = Verdict::cheaper;
  if (out.interval.upper < 0) out.verdict = Verdict::costlier;
  if (model.plants[0].kind == Kind::api || model.plants[option].kind == Kind::api) return out;
  out.ratio = model.plants[option].out_rate() / model.first_rate();
  out.ratio_needed = break_even_ratio(model, option);
  if (out.ratio_needed) out.precision_needed = std::abs(out.ratio - *out.ratio_needed) / out.ratio;
  return out;
}

}  // namespace scoville::cost
