#include <array>
#include <cmath>
#include <limits>

#include "cost/read_option.hpp"

namespace scoville::cost {
namespace {

using config::Node;
using text::CostMsg;
using text::say;

constexpr std::array kParts{"sharp", "peak", "flat", "valley", "deep_valley"};

}  // namespace

std::optional<Tariff> read_tariff(const Node& site, const Currency& currency) {
  const Node tariff = site.maybe_map("tariff");
  if (!tariff.is_map()) return std::nullopt;
  Tariff out;
  double hours = 0;
  for (const char* part : kParts) {
    const Node node = tariff.maybe_map(part);
    if (!node.exists()) continue;
    const double for_hours = node.number("hours", {0, 24});
    if (const auto price = maybe_amount(node, "price_kwh", config::kAtLeastZero, currency))
      out.price_kwh += price->value * for_hours / 24;
    else if (for_hours > 0)
      out.price_kwh = std::numeric_limits<double>::quiet_NaN();
    hours += for_hours;
  }
  out.demand_charge = maybe_amount(tariff, "demand_charge_kw_month", config::kAtLeastZero, currency);
  if (std::abs(hours - 24) > 1e-6) tariff.fault(say(CostMsg::tariff_hours, hours));
  if (site.has("price_kwh")) site.fault("price_kwh", say(CostMsg::tariff_and_price));
  return out;
}

}  // namespace scoville::cost
