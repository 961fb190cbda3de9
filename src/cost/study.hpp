#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "config/quantity.hpp"
#include "cost/attribution.hpp"
#include "cost/currency.hpp"
#include "cost/inputs.hpp"
#include "cost/perf.hpp"

namespace scoville::cost {

/// Where a number came from.
enum class Origin { option, common, site, study, defaults, derived };

struct Given {
  config::Quantity quantity;
  Origin origin = Origin::option;
};
using GivenInputs = std::array<std::optional<Given>, kInputs>;

enum class Billing { committed, on_demand };

struct NetworkItem {
  std::string item;
  double unit_price = 0, count = 0;
};

/// One of the things that could be done: cards of one's own, cards by the hour, tokens by the million.
struct Option {
  std::string name;
  std::string device;  ///< "H100": for what is publicly known of it; empty: not said
  Kind kind = Kind::owned;
  Billing billing = Billing::committed;
  Perf perf;
  GivenInputs given;
  std::optional<bool> colo_includes_power;
  std::vector<NetworkItem> network;
  std::optional<double> network_for;  ///< accelerators that the list is for
  int line = 0;

  const std::optional<Given>& operator[](In id) const { return given[static_cast<std::size_t>(id)]; }
  std::optional<Given>& operator[](In id) { return given[static_cast<std::size_t>(id)]; }
};

/// Whether prices hold value-added tax, and whether it comes back.
struct TaxRule {
  std::optional<bool> included;
  std::optional<double> goods, services;  ///< rates
  std::optional<bool> recoverable;
};

/// How much is to be served. At most one of the first two.
struct Demand {
  std::optional<double> mtok_out_per_year;
  std::optional<double> accelerators;  ///< as much as so many accelerators of the first option serve
  std::optional<double> in_out_ratio, cached_share, peak_to_mean;
};

enum class Sizing { whole_nodes, fractional };

/// A study as a person wrote it.
struct Study {
  Currency currency;
  TaxRule tax;
  Demand demand;
  Sizing sizing = Sizing::whole_nodes;
  std::optional<Method> attribution;
  std::optional<PriceList> attribution_prices;
  bool has_tornado = true;
  std::vector<std::string> tornado_keys;  ///< empty: every input that has a range
  std::vector<Option> options;
};

/// `map` is the map that holds `currency`, `options`, …; an evaluation plan has it under its key `cost`. Faults are
/// noted in the file of `map`, whose reader calls finish().
Study read_study(const config::Node& map);

}  // namespace scoville::cost
