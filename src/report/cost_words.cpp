#include "report/cost_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cost/currency.hpp"
#include "report/cells.hpp"
#include "report/cost.hpp"
#include "text/catalogue/cost.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using cost::Outcome;
using cost::Sense;
using cost::Verdict;
using text::CostMsg;
using text::say;

std::string line(const std::string& sentence) { return "  " + text::wrapped(sentence, kCostWidth - 2, 2); }

std::string saving_words(const cost::PairOutcome& pair, const Outcome& outcome) {
  const cost::Saving& saving = pair.saving;
  const auto money = [&](double amount) { return cost::money_text(amount, outcome.currency); };
  const std::string &option = outcome.options[pair.option].name, &first = outcome.options[0].name;
  const std::string low = money(saving.interval.lower), high = money(saving.interval.upper);
  std::string out;
  if (saving.verdict == Verdict::not_resolved) {
    out = line(say(CostMsg::says_open, option, first, low, high));
    if (saving.ratio_needed && saving.precision_needed)
      out += line(say(CostMsg::says_ratio, saving.ratio, *saving.ratio_needed, 100 * *saving.precision_needed));
    return out;
  }
  const bool is_cheaper = saving.verdict == Verdict::cheaper;
  const double size = std::abs(saving.value);
  out = line(say(is_cheaper ? CostMsg::says_cheaper : CostMsg::says_costlier, option, first, money(size)));
  if (saving.interval.lower != saving.interval.upper) out += line(say(CostMsg::says_between, low, high));
  if (!saving.has_interval) out += line(say(CostMsg::says_no_interval));
  if (saving.ratio_needed) out += line(say(CostMsg::says_ratio_known, saving.ratio, *saving.ratio_needed));
  return out;
}

/// What a word of a unit is called here; symbols stay as they are.
std::string unit_word(const std::string& word) {
  constexpr std::array<std::pair<std::string_view, CostMsg>, 12> kWords{{{"share", CostMsg::unit_share},
                                                                         {"ratio", CostMsg::unit_ratio},
                                                                         {"count", CostMsg::unit_count},
                                                                         {"people", CostMsg::unit_people},
                                                                         {"year", CostMsg::unit_year},
                                                                         {"years", CostMsg::unit_years},
                                                                         {"month", CostMsg::unit_month},
                                                                         {"months", CostMsg::unit_months},
                                                                         {"weeks", CostMsg::unit_weeks},
                                                                         {"hour", CostMsg::unit_hour},
                                                                         {"hours", CostMsg::unit_hours},
                                                                         {"seconds", CostMsg::unit_seconds}}};
  for (const auto& [name, words] : kWords) {
    if (name == word) return say(words);
  }
  return word;
}

/// "A 7.93 in place of 16, B 8.81 in place of 16": of the fleets of a pair that are not what the demand needs.
std::string needed_words(const cost::PairOutcome& pair, const Outcome& outcome) {
  std::vector<std::string> out;
  for (const std::size_t i : {std::size_t{0}, pair.option}) {
    const cost::OptionOutcome& option = outcome.options[i];
    if (option.kind == cost::Kind::api || plain(outcome.needed(i)) == plain(option.fleet.serving)) continue;
    out.push_back(say(CostMsg::in_place_of, option.name, plain(outcome.needed(i)), plain(option.fleet.serving)));
  }
  if (out.empty()) return line(say(CostMsg::says_divided));
  return line(say(CostMsg::says_needed, fmt::format("{}", fmt::join(out, say(CostMsg::fleets_between)))));
}

/// The totals of the table, one minus the other; then what of the rest is of other fleets.
std::string totals_words(const cost::PairOutcome& pair, const Outcome& outcome) {
  if (!pair.is_of_other_fleets) return "";
  const cost::OptionOutcome &option = outcome.options[pair.option], &first = outcome.options[0];
  if (!pair.saving_of_totals)
    return line(say(CostMsg::says_unlike_volumes, plain(first.volumes.out), plain(option.volumes.out))) +
           needed_words(pair, outcome);
  const bool is_less = *pair.saving_of_totals > 0;
  CostMsg words = is_less ? CostMsg::says_totals_lower : CostMsg::says_totals_higher;
  if (pair.has_stated_fleets) words = is_less ? CostMsg::says_totals_cheaper : CostMsg::says_totals_costlier;
  const std::string size = cost::money_text(std::abs(*pair.saving_of_totals), outcome.currency);
  return line(say(words, option.name, first.name, size)) + needed_words(pair, outcome);
}

std::string volume(double mtok_per_year) {
  return say(CostMsg::volume, plain(mtok_per_year), plain(mtok_per_year / 365 / 1000));
}

std::string break_even_words(const cost::PairOutcome& pair, const Outcome& outcome) {
  const cost::BreakEven& found = pair.break_even;
  const std::string &option = outcome.options[pair.option].name, &first = outcome.options[0].name;
  if (found.sense == Sense::never) return line(say(CostMsg::says_never, option, first));
  if (found.sense == Sense::always) return line(say(CostMsg::says_always, option, first));
  std::string out = line(say(found.sense == Sense::above ? CostMsg::says_above : CostMsg::says_below, option, first,
                             volume(*found.mtok_out)));
  if (found.first_acc) out += line(say(CostMsg::says_cards, plain(*found.first_acc), first));
  if (found.zone && found.zone->first_win && found.zone->last_loss) {
    const cost::WholePoint &win = *found.zone->first_win, &loss = *found.zone->last_loss;
    const bool by_first = win.first_acc > 0;
    out += line(say(CostMsg::says_zone, plain(by_first ? win.first_acc : win.option_acc),
                    plain(by_first ? loss.first_acc : loss.option_acc), by_first ? first : option));
  }
  return out;
}

std::string porting_words(const cost::PairOutcome& pair, const Outcome& outcome) {
  if (!pair.porting) return "";
  const cost::PortingCase& porting = *pair.porting;
  const auto money = [&](double amount) { return cost::money_text(amount, outcome.currency); };
  if (!porting.payback_years) return line(say(CostMsg::says_porting_never, money(porting.oneoff)));
  std::string out =
      line(say(CostMsg::says_porting, money(porting.oneoff), fmt::format("{:.1f}", *porting.payback_years),
               money(porting.net_present_value), years_text(outcome.horizon_years)));
  if (porting.affordable_engineer_years)
    out += line(say(CostMsg::says_affordable, money(porting.affordable),
                    fmt::format("{:.2f}", *porting.affordable_engineer_years)));
  return out;
}

}  // namespace

std::string plain(double value) { return cost::plain(value); }

std::string unit_text(const std::string& unit, const std::string& currency) {
  if (unit == "1/year") return say(CostMsg::unit_per_year);
  std::string out;
  for (std::size_t from = 0; from <= unit.size();) {
    const std::size_t end = std::min(unit.find('/', from), unit.size());
    const std::string word = unit.substr(from, end - from);
    out += (from > 0 ? "/" : "") + (word == "money" ? cost::currency_text(currency) : unit_word(word));
    from = end + 1;
  }
  return out;
}

std::string years_text(double years) { return years == 1 ? say(CostMsg::one_year) : say(CostMsg::years, plain(years)); }

std::string options_text(const std::vector<std::string>& names, const Outcome& outcome) {
  if (names.empty() || (names.size() == outcome.options.size() && names.size() > 1)) return "";
  return fmt::format(" ({})", fmt::join(names, ", "));
}

std::string break_even_cell(const cost::BreakEven& found) {
  switch (found.sense) {
    case Sense::never:
      return say(CostMsg::cell_never);
    case Sense::always:
      return say(CostMsg::cell_always);
    case Sense::above:
      return say(CostMsg::cell_above, plain(*found.mtok_out));
    case Sense::below:
      return say(CostMsg::cell_below, plain(*found.mtok_out));
  }
  return kNone;
}

std::string verdict_cell(const cost::Saving& saving) {
  constexpr std::array kWords{CostMsg::verdict_cheaper, CostMsg::verdict_costlier, CostMsg::verdict_open};
  return say(kWords[static_cast<std::size_t>(saving.verdict)]) +
         (saving.has_interval || saving.verdict == Verdict::not_resolved ? "" : " ?");
}

text::CostMsg method_word(cost::Method method) {
  constexpr std::array words{CostMsg::method_blended, CostMsg::method_full, CostMsg::method_time,
                             CostMsg::method_prices};
  return words[static_cast<std::size_t>(method)];
}

std::string pair_words(const cost::PairOutcome& pair, const Outcome& outcome) {
  std::string out = text::wrapped(
      say(CostMsg::head_pair, outcome.options[pair.option].name, outcome.options[0].name, volume(outcome.mtok_out)),
      kCostWidth, 0);
  out += totals_words(pair, outcome) + saving_words(pair, outcome) + break_even_words(pair, outcome) +
         porting_words(pair, outcome);
  if (pair.kw_ratio) out += line(say(CostMsg::says_kw_ratio, *pair.kw_ratio));
  return out;
}

std::string cost_sources(const Outcome& outcome) {
  std::string out;
  if (!outcome.notes.empty()) out += say(CostMsg::head_notes) + "\n";
  for (const cost::Note& each : outcome.notes) out += line(each.option + ": " + each.words.said());
  if (!outcome.rates.empty()) out += say(CostMsg::head_rates) + "\n";
  for (const auto& [code, rate] : outcome.rates)
    out += line(fmt::format("1 {} = {} ({}, {})", code, cost::money_text(rate.value, outcome.currency), rate.source,
                            rate.date));
  if (!outcome.defaults.empty()) out += say(CostMsg::head_defaults) + "\n";
  for (const cost::DefaultUsed& each : outcome.defaults)
    out +=
        line(fmt::format("{} = {} {}{}: {}, {}", each.path, plain(each.value), unit_text(each.unit, outcome.currency),
                         options_text(each.options, outcome), each.source, each.date));
  std::vector<std::string> names;
  for (const cost::Unsaid& each : outcome.unsaid) {
    const std::string as = each.counted_as == 0 ? "" : " = " + plain(each.counted_as);
    names.push_back(each.path + as + options_text(each.options, outcome));
  }
  if (names.empty()) return out;
  return out + say(CostMsg::head_unsaid) + "\n" + line(fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace scoville::report
