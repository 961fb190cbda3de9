#include "report/cost_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
               money(porting.net_present_value), plain(outcome.horizon_years)));
  if (porting.affordable_engineer_years)
    out += line(say(CostMsg::says_affordable, money(porting.affordable),
                    fmt::format("{:.2f}", *porting.affordable_engineer_years)));
  return out;
}

}  // namespace

std::string plain(double value) {
  if (std::abs(value) < 1000) return fmt::format("{:.4g}", value);
  std::string out = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return (value < 0 ? "-" : "") + out;
}

std::string unit_text(const std::string& unit, const std::string& currency) {
  if (!unit.starts_with("money")) return unit;
  return cost::currency_text(currency) + unit.substr(5);
}

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
  out += saving_words(pair, outcome) + break_even_words(pair, outcome) + porting_words(pair, outcome);
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
