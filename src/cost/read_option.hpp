#pragma once

#include "cost/study.hpp"

namespace scoville::cost {

/// What all options of a study share: its own numbers, `site` and `common`.
GivenInputs read_shared(const config::Node& map, const Currency& currency);

/// One of `options`; what it does not say itself is what all share.
Option read_option(const config::Node& node, const GivenInputs& shared, const Currency& currency);

/// Of `site`: what the hours of a day cost, weighted into one price, and the charge for power; amounts in the study's
/// currency. Hours of all parts are 24.
struct Tariff {
  double price_kwh = 0;  ///< not a number: one of its prices is not there yet
  std::optional<config::Quantity> demand_charge;
};
std::optional<Tariff> read_tariff(const config::Node& site, const Currency& currency);

}  // namespace scoville::cost
