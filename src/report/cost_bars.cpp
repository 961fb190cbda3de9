#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cost/currency.hpp"
#include "report/cost.hpp"
#include "report/cost_words.hpp"
#include "text/catalogue/cost.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using cost::Bar;
using cost::In;
using cost::Outcome;
using text::CostMsg;
using text::say;

constexpr std::size_t kShownBars = 8, kHalf = 9, kLabel = 30, kRange = 17;

/// Both sides of the middle, which stands for the figure as it is: "   ██████│███    ".
std::string drawn(double base, double low, double high, double scale) {
  const auto steps = [&](double to) {
    const double part = scale > 0 ? (to - base) / scale : 0;
    return static_cast<std::size_t>(std::lround(std::clamp(std::abs(part), 0.0, 1.0) * kHalf));
  };
  const double least = std::min(low, high), most = std::max(low, high);
  const std::size_t left = least < base ? steps(least) : 0, right = most > base ? steps(most) : 0;
  std::string out(kHalf - left, ' ');
  for (std::size_t i = 0; i < left; ++i) out += "█";
  out += "│";
  for (std::size_t i = 0; i < right; ++i) out += "█";
  return out + std::string(kHalf - right, ' ');
}

std::string label_of(const Bar& bar, const Outcome& outcome) {
  const std::string what = say(cost::input_of(bar.lever.id).meaning);
  if (bar.lever.is_shared || outcome.options.size() == 1) return what;
  return outcome.options[bar.lever.options.front()].name + ": " + what;
}

std::string range_of(const Bar& bar) {
  if (bar.lever.id != In::perf_scale) return plain(bar.lever.low) + " → " + plain(bar.lever.high);
  return fmt::format("{:+.3g} → {:+.3g} %", 100 * (bar.lever.low - 1), 100 * (bar.lever.high - 1));
}

std::string chart(const std::string& head, double base, const std::vector<Bar>& bars, const Outcome& outcome,
                  bool detail) {
  if (bars.empty()) return "";
  std::string out = text::wrapped(head, kCostWidth, 0);
  double scale = 0;
  for (const Bar& each : bars) scale = std::max({scale, std::abs(each.at_low - base), std::abs(each.at_high - base)});
  const std::size_t shown = detail ? bars.size() : std::min(bars.size(), kShownBars);
  for (std::size_t i = 0; i < shown; ++i) {
    const Bar& bar = bars[i];
    out += "  " + text::pad_right(text::shorten(label_of(bar, outcome), kLabel), kLabel) + " " +
           text::pad_left(range_of(bar), kRange) + "  " + drawn(base, bar.at_low, bar.at_high, scale) + "  " +
           cost::span_text(bar.at_low, bar.at_high, outcome.currency, " → ") + "\n";
  }
  if (shown < bars.size()) out += "  " + say(CostMsg::more_bars, bars.size() - shown) + "\n";
  return out + "\n";
}

}  // namespace

std::string cost_bars(const Outcome& outcome, bool detail) {
  std::string out;
  for (const cost::PairOutcome& each : outcome.pairs) {
    const std::string head = say(each.is_of_other_fleets ? CostMsg::head_needed_bars : CostMsg::head_saving_bars,
                                 outcome.options[each.option].name, outcome.options[0].name,
                                 cost::money_text(each.saving.value, outcome.currency));
    out += chart(head, each.saving.value, each.bars, outcome, detail);
  }
  for (const cost::OptionOutcome& each : outcome.options) {
    if ((!detail && !outcome.pairs.empty()) || !each.unit.out) continue;
    const std::string head =
        say(CostMsg::head_cost_bars, each.name, cost::money_text(*each.unit.out, outcome.currency));
    out += chart(head, *each.unit.out, each.bars, outcome, detail);
  }
  return out;
}

}  // namespace scoville::report
