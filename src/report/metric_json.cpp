#include "report/metric_json.hpp"

#include <fmt/format.h>

namespace scoville::report {
namespace {

using analyse::Quantile;

json::object quantile_json(const Quantile& quantile) {
  json::object out{{"value", nanos_or_null(quantile.value)},
                   {"low", nanos_or_null(quantile.low)},
                   {"high", nanos_or_null(quantile.high)},
                   {"level", number_or_null(quantile.level)},
                   {"supported", quantile.is_supported}};
  if (quantile.level) out["method"] = quantile.is_by_batches ? "batch_means" : "order_statistics";
  if (quantile.at_least) out["at_least"] = quantile.at_least->count();
  if (quantile.reason != analyse::NoInterval::none) out["reason"] = json::string(name_of(quantile.reason));
  if (!quantile.is_supported) out["needed_n"] = quantile.needed;
  out["certified_ns"] = nanos_or_null(quantile.certified);
  if (!quantile.certified) out["certified_reason"] = json::string(name_of(quantile.not_certified));
  return out;
}

}  // namespace

std::string percent_key(double p) { return fmt::format("{:.6g}", p * 100); }

json::object metric_json(const analyse::Metric& metric) {
  json::object quantiles;
  for (const analyse::Quantile& each : metric.quantiles) quantiles[percent_key(each.p)] = quantile_json(each);
  json::object out{{"unit", "ns"},
                   {"n", metric.n},
                   {"censored", metric.censored},
                   {"mean", nanos_or_null(metric.mean)},
                   {"min", nanos_or_null(metric.smallest)},
                   {"max", nanos_or_null(metric.largest)},
                   {"effective_n", number_or_null(metric.effective_n)},
                   {"quantiles", std::move(quantiles)}};
  if (metric.mean_at_least) out["mean_at_least"] = metric.mean_at_least->count();
  if (metric.largest_at_least) out["max_at_least"] = metric.largest_at_least->count();
  return out;
}

}  // namespace scoville::report
