#include "analyse/unit_cost.hpp"

namespace scoville::analyse {
namespace {

constexpr double kMillion = 1e6, kSecondsAnHour = 3600;

std::optional<double> per_million(double per_hour, std::optional<double> tokens_per_s) {
  if (!tokens_per_s || *tokens_per_s <= 0) return std::nullopt;
  return per_hour / (*tokens_per_s * kSecondsAnHour) * kMillion;
}

}  // namespace

UnitCost unit_cost(const Price& price, const Throughput& rates) {
  const double per_hour = price.per_device_hour.amount * static_cast<double>(price.devices);
  UnitCost cost;
  cost.currency = price.per_device_hour.currency;
  const std::optional<double> output = rates.output_tokens_per_s.full, total = rates.total_tokens_per_s.full;
  cost.blended = per_million(per_hour, total);
  cost.on_output = per_million(per_hour, output);
  if (output && total) cost.on_input = per_million(per_hour, *total - *output);
  return cost;
}

}  // namespace scoville::analyse
