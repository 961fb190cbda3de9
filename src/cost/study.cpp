#include "cost/study.hpp"

#include <algorithm>

#include "cost/read_option.hpp"
#include "text/catalogue/config.hpp"
#include "text/nearest.hpp"

namespace scoville::cost {
namespace {

using config::kAboveZero;
using config::kAtLeastZero;
using config::kShare;
using config::Node;
using text::CostMsg;
using text::say;

std::vector<std::string> words(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

TaxRule read_tax(const Node& tax) {
  TaxRule out;
  out.included = tax.maybe_flag("included");
  out.goods = tax.maybe_number("vat", {0, 1});
  out.services = tax.maybe_number("vat_services", {0, 1});
  out.recoverable = tax.maybe_flag("recoverable");
  return out;
}

Demand read_demand(const Node& demand) {
  Demand out;
  out.mtok_out_per_year = demand.maybe_number("mtok_out_per_year", kAboveZero);
  out.accelerators = demand.maybe_number("accelerators_of_first", kAboveZero);
  out.in_out_ratio = demand.maybe_number("in_out_ratio", kAtLeastZero);
  out.cached_share = demand.maybe_number("cached_share", kShare);
  out.peak_to_mean = demand.maybe_number("peak_to_mean", {1, 1e6});
  if (out.mtok_out_per_year && out.accelerators) demand.fault(say(CostMsg::demand_twice));
  return out;
}

std::optional<PriceList> read_prices(const Node& map, const Currency& currency) {
  if (!map.exists()) return std::nullopt;
  const auto required = [&](const char* key) {
    if (const auto found = maybe_amount(map, key, kAboveZero, currency)) return found->value;
    map.number(key, kAboveZero);  // notes that it is missing
    return 1.0;
  };
  PriceList out;
  out.in = required("in");
  out.out = required("out");
  if (const auto cached = maybe_amount(map, "cached", kAtLeastZero, currency)) out.cached = cached->value;
  return out;
}

void read_tornado(const Node& map, Study& study) {
  study.tornado_keys = map.maybe_texts("tornado");
  std::vector<std::string> known{"auto", "none", "perf"};
  for (const Input& each : inputs()) known.push_back(path_of(each));
  for (std::string& key : study.tornado_keys) {
    for (const Input& each : inputs()) {
      if (key == each.key) key = path_of(each);
    }
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string near = text::nearest(key, known);
    map.fault("tornado", near.empty() ? say(CostMsg::no_such_input, key) : say(CostMsg::no_such_input_near, key, near));
  }
  if (study.tornado_keys.size() != 1) return;
  study.has_tornado = study.tornado_keys.front() != "none";
  if (study.tornado_keys.front() == "auto" || !study.has_tornado) study.tornado_keys.clear();
}

/// Options are told apart by their names.
void check_names(const Node& map, const std::vector<Option>& options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (options[i].name == options[j].name && !options[i].name.empty())
        map.list("options")[i].fault("name", say(CostMsg::name_twice, options[i].name));
    }
  }
}

}  // namespace

Study read_study(const Node& map) {
  Study out;
  out.currency = read_currency(map);
  out.tax = read_tax(map.maybe_map("tax"));
  out.demand = read_demand(map.maybe_map("demand"));
  if (const auto sizing = map.maybe_choice("sizing", {"whole_nodes", "fractional"}))
    out.sizing = *sizing == 0 ? Sizing::whole_nodes : Sizing::fractional;
  if (const auto method = map.maybe_choice("attribution", words(kMethodNames)))
    out.attribution = static_cast<Method>(*method);
  out.attribution_prices = read_prices(map.maybe_map("attribution_prices"), out.currency);
  read_tornado(map, out);
  const GivenInputs shared = read_shared(map, out.currency);
  const std::vector<Node> options = map.list("options");
  const std::optional<bool> includes_power = map.maybe_map("site").maybe_flag("colo_includes_power");
  for (const Node& each : options) {
    out.options.push_back(read_option(each, shared, out.currency));
    if (!out.options.back().colo_includes_power) out.options.back().colo_includes_power = includes_power;
  }
  if (options.empty() && map.maybe("options").is_list()) map.fault("options", say(CostMsg::no_options));
  check_names(map, out.options);
  return out;
}

}  // namespace scoville::cost
