#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cost/currency.hpp"
#include "report/cells.hpp"
#include "report/cost.hpp"
#include "report/cost_words.hpp"
#include "text/catalogue/cost.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using cost::In;
using cost::Kind;
using cost::OptionOutcome;
using cost::Outcome;
using cost::Part;
using text::CostMsg;
using text::say;

constexpr std::size_t kMostColumns = 4, kNameWidth = 18;

constexpr std::array<CostMsg, cost::kParts> kPartWords{
    CostMsg::part_capital, CostMsg::part_rent,   CostMsg::part_tokens,  CostMsg::part_electricity,
    CostMsg::part_demand,  CostMsg::part_space,  CostMsg::part_support, CostMsg::part_failures,
    CostMsg::part_staff,   CostMsg::part_net,    CostMsg::part_licence, CostMsg::part_storage,
    CostMsg::part_porting, CostMsg::part_upkeep, CostMsg::part_delay};
constexpr std::array kKindWords{CostMsg::kind_owned, CostMsg::kind_rented, CostMsg::kind_api};

/// The table of a few options: rows are added as functions of an option.
class CostTable {
 public:
  CostTable(const Outcome& outcome, std::vector<std::size_t> shown)
      : outcome_(outcome), shown_(std::move(shown)), table_(header()) {}

  using Cell = std::function<std::string(const OptionOutcome&)>;

  void row(const std::string& name, const Cell& cell) {
    std::vector<std::string> cells{name};
    bool says_something = false;
    for (const std::size_t i : shown_) {
      cells.push_back(cell(outcome_.options[i]));
      says_something = says_something || cells.back() != kNone;
    }
    if (says_something) table_.add_row(std::move(cells));
  }
  void heading(const std::string& words) {
    table_.add_rule();
    table_.add_row({words});
  }
  void rule() { table_.add_rule(); }
  std::string render() const { return table_.render(); }

  std::string money(double amount) const { return cost::amount_text(amount, outcome_.currency); }
  std::string money(const std::optional<double>& amount) const { return amount ? money(*amount) : kNone; }

 private:
  std::vector<std::string> header() const {
    std::vector<std::string> out{say(CostMsg::column_year, cost::currency_text(outcome_.currency))};
    for (const std::size_t i : shown_) out.push_back(text::shorten(outcome_.options[i].name, kNameWidth));
    return out;
  }

  const Outcome& outcome_;
  std::vector<std::size_t> shown_;
  text::Table table_;
};

std::string kind_cell(const OptionOutcome& option) {
  if (option.kind == Kind::rented && option.billing == cost::Billing::on_demand) return say(CostMsg::kind_on_demand);
  return say(kKindWords[static_cast<std::size_t>(option.kind)]);
}

std::string fleet_cell(const OptionOutcome& option) {
  if (option.kind == Kind::api) return kNone;
  if (option.fleet.bought == option.fleet.serving) return plain(option.fleet.serving);
  return plain(option.fleet.serving) + " (" + plain(option.fleet.bought) + ")";
}

void add_year(CostTable& table) {
  for (std::size_t i = 0; i < cost::kParts; ++i) {
    table.row(say(kPartWords[i]), [&table, i](const OptionOutcome& option) {
      const double amount = option.annual.parts[i];
      return amount == 0 ? std::string(kNone) : table.money(amount);
    });
  }
  table.rule();
  table.row(say(CostMsg::row_total), [&](const OptionOutcome& o) { return table.money(o.annual.total()); });
  table.row(say(CostMsg::row_month), [&](const OptionOutcome& o) { return table.money(o.annual.total() / 12); });
  const auto power = [&table](double part) {
    return [&table, part](const OptionOutcome& o) {
      return o.kind == Kind::owned && !o.plant.colo_includes_power ? table.money(o.annual.power() * part) : kNone;
    };
  };
  table.row(say(CostMsg::row_power), power(1));
  table.row(say(CostMsg::row_power_month), power(1.0 / 12));
}

std::string method_words(const Outcome& outcome) {
  for (const OptionOutcome& each : outcome.options) {
    if (each.used) return say(method_word(*each.used));
  }
  return say(CostMsg::method_list);
}

void add_unit_costs(const Outcome& outcome, CostTable& table) {
  table.heading(say(CostMsg::head_mtok, method_words(outcome)));
  table.row(say(CostMsg::row_in), [&](const OptionOutcome& o) { return table.money(o.unit.in); });
  table.row(say(CostMsg::row_cached), [&](const OptionOutcome& o) { return table.money(o.unit.cached); });
  table.row(say(CostMsg::row_out), [&](const OptionOutcome& o) { return table.money(o.unit.out); });
  table.row(say(CostMsg::row_out_range), [&](const OptionOutcome& o) {
    if (!o.out_interval) return std::string(kNone);
    return cost::span_text(o.out_interval->lower, o.out_interval->upper, outcome.currency);
  });
  table.row(say(CostMsg::row_all), [&](const OptionOutcome& o) { return table.money(o.unit.blended); });
}

void add_methods(CostTable& table) {
  table.heading(say(CostMsg::head_methods));
  for (std::size_t i = 0; i < cost::kMethodNames.size(); ++i) {
    table.row(say(method_word(static_cast<cost::Method>(i))), [&table, i](const OptionOutcome& o) {
      for (const auto& [method, costs] : o.methods) {
        if (static_cast<std::size_t>(method) == i) return table.money(costs.in) + " / " + table.money(costs.out);
      }
      return std::string(kNone);
    });
  }
}

/// How the capital of an owned fleet comes about, before it is spread over the years.
void add_capital(CostTable& table) {
  table.heading(say(CostMsg::head_capital));
  const auto sum = [&](CostMsg name, double cost::Annual::*which) {
    table.row(say(name), [&table, which](const OptionOutcome& o) {
      return o.kind == Kind::owned ? table.money(o.annual.*which) : kNone;
    });
  };
  sum(CostMsg::row_capex_acc, &cost::Annual::capex_acc);
  sum(CostMsg::row_capex_node, &cost::Annual::capex_node);
  sum(CostMsg::row_capex_net, &cost::Annual::capex_net);
  sum(CostMsg::row_capex_total, &cost::Annual::capex_total);
  sum(CostMsg::row_residual, &cost::Annual::residual);
}

void add_rates(CostTable& table) {
  table.rule();
  table.row(say(CostMsg::row_acc_hour), [&](const OptionOutcome& o) { return table.money(o.per_acc_hour); });
  table.row(say(CostMsg::row_hourly_rule), [&](const OptionOutcome& o) { return table.money(o.hourly_rule); });
  table.row(say(CostMsg::row_kwh), [](const OptionOutcome& o) {
    return o.kind == Kind::owned ? plain(o.annual.kwh_facility / o.volumes.out) : kNone;
  });
  table.row(say(CostMsg::row_kw), [](const OptionOutcome& o) { return o.rack ? plain(o.rack->kw_prov) : kNone; });
  table.row(say(CostMsg::row_racks), [](const OptionOutcome& o) {
    return o.rack && o.rack->racks ? plain(*o.rack->racks) + " × " + plain(*o.rack->acc_per_rack) : kNone;
  });
  table.row(say(CostMsg::row_ettr), [](const OptionOutcome& o) {
    return o.training ? fmt::format("{:.1f} % / {:.0f} s", 100 * o.training->ratio_daly, o.training->daly) : kNone;
  });
  table.row(say(CostMsg::row_useful_hour), [&](const OptionOutcome& o) { return table.money(o.per_useful_acc_hour); });
}

using CellOfPair = std::function<std::string(const cost::PairOutcome&)>;

/// The totals above, one minus the other; what follows is of other fleets, and says of which.
template <class OfPair>
void add_totals(const Outcome& outcome, CostTable& table, const OfPair& of_pair) {
  table.row(say(CostMsg::row_saving_of_totals),
            of_pair([&](const auto& pair) { return table.money(pair.saving_of_totals); }));
  table.row(say(CostMsg::row_verdict_of_totals), of_pair([](const auto& pair) {
              if (!pair.saving_of_totals || !pair.has_stated_fleets) return std::string(kNone);
              return say(*pair.saving_of_totals > 0 ? CostMsg::verdict_cheaper : CostMsg::verdict_costlier);
            }));
  table.heading(say(CostMsg::head_needed));
  table.row(say(CostMsg::row_needed), [&outcome](const OptionOutcome& o) {
    return o.kind == Kind::api ? std::string(kNone) : plain(outcome.mtok_out / o.tokens.mtok_out);
  });
}

void add_pairs(const Outcome& outcome, CostTable& table) {
  if (outcome.pairs.empty()) return;
  table.heading(say(CostMsg::head_against, outcome.options[0].name, plain(outcome.mtok_out)));
  const auto of_pair = [&](const CellOfPair& cell) {
    return [&outcome, cell](const OptionOutcome& o) {
      for (const cost::PairOutcome& each : outcome.pairs) {
        if (outcome.options[each.option].name == o.name) return cell(each);
      }
      return std::string(kNone);
    };
  };
  const bool has_others =
      std::any_of(outcome.pairs.begin(), outcome.pairs.end(), [](const auto& pair) { return pair.is_of_other_fleets; });
  if (has_others) add_totals(outcome, table, of_pair);
  table.row(say(CostMsg::row_saving), of_pair([&](const auto& pair) { return table.money(pair.saving.value); }));
  const auto end = [&](double stats::Interval::*which) {
    return of_pair([&table, which](const auto& pair) {
      const stats::Interval& all = pair.saving.interval;
      return all.lower == all.upper ? std::string(kNone) : table.money(all.*which);
    });
  };
  table.row(say(CostMsg::row_saving_range), end(&stats::Interval::lower));
  table.row(say(CostMsg::row_saving_most), end(&stats::Interval::upper));
  table.row(say(CostMsg::row_verdict), of_pair([](const auto& pair) { return verdict_cell(pair.saving); }));
  table.row(say(CostMsg::row_break_even), of_pair([](const auto& pair) { return break_even_cell(pair.break_even); }));
}

std::string tables(const Outcome& outcome, bool detail) {
  std::string out;
  for (std::size_t from = 0; from < outcome.options.size(); from += kMostColumns) {
    std::vector<std::size_t> shown;
    for (std::size_t i = from; i < std::min(from + kMostColumns, outcome.options.size()); ++i) shown.push_back(i);
    CostTable table(outcome, shown);
    table.row(say(CostMsg::row_kind), kind_cell);
    table.row(say(CostMsg::row_fleet), fleet_cell);
    table.row(say(CostMsg::row_served), [](const OptionOutcome& o) { return plain(o.volumes.out); });
    table.row(say(CostMsg::row_read), [](const OptionOutcome& o) { return plain(o.volumes.in); });
    table.row(say(CostMsg::row_rate), [](const OptionOutcome& o) {
      return o.kind == Kind::api ? std::string(kNone) : plain(o.plant.in_rate()) + " + " + plain(o.plant.out_rate());
    });
    table.rule();
    add_year(table);
    add_unit_costs(outcome, table);
    if (detail) add_methods(table);
    if (detail) add_capital(table);
    add_rates(table);
    add_pairs(outcome, table);
    out += table.render() + "\n";
  }
  return out;
}

}  // namespace

std::string cost_missing(const Outcome& outcome) {
  std::string out =
      outcome.missing.size() == 1 ? say(CostMsg::missing_head_one) : say(CostMsg::missing_head, outcome.missing.size());
  out += "\n";
  std::size_t width = 0;
  const auto place = [](const cost::Missing& each) {
    return each.option.empty() ? each.path : each.option + ": " + each.path;
  };
  for (const cost::Missing& each : outcome.missing) width = std::max(width, text::display_width(place(each)));
  for (const cost::Missing& each : outcome.missing) {
    const std::string unit = each.unit.empty() ? "" : " [" + unit_text(each.unit, outcome.currency) + "]";
    out += "  " + text::pad_right(place(each), width) + "  " + say(each.what) + unit + "\n";
  }
  return out;
}

std::string cost_table(const Outcome& outcome, bool detail) {
  if (!outcome.is_complete()) return cost_missing(outcome);
  std::string out = text::wrapped(say(CostMsg::table_head, cost::currency_text(outcome.currency),
                                      years_text(outcome.horizon_years), plain(100 * outcome.wacc)),
                                  kCostWidth, 0);
  if (outcome.tax.recoverable) out += say(*outcome.tax.recoverable ? CostMsg::without_tax : CostMsg::with_tax) + "\n";
  out += "\n" + tables(outcome, detail);
  for (const cost::PairOutcome& each : outcome.pairs) out += pair_words(each, outcome) + "\n";
  out += cost_bars(outcome, detail);
  return out + cost_sources(outcome);
}

}  // namespace scoville::report
