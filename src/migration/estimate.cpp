#include "migration/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "stats/distributions.hpp"
#include "stats/quantile.hpp"

namespace scoville::migration {
namespace {

using State = ItemEstimate::State;

constexpr std::size_t kSteps = 1000;

/// The quantile function of an item at equal steps: a beta quantile for each draw would take seconds.
class Range {
 public:
  Range(const Item& item, Shape shape) {
    for (std::size_t i = 0; i <= kSteps; ++i)
      at_.push_back(quantile_of(item, shape, static_cast<double>(i) / static_cast<double>(kSteps)));
  }
  double at(double u) const {
    const double place = u * static_cast<double>(kSteps);
    const auto below = std::min(static_cast<std::size_t>(place), kSteps - 1);
    return at_[below] + (at_[below + 1] - at_[below]) * (place - static_cast<double>(below));
  }

 private:
  std::vector<double> at_;
};

/// What stands in the log, in place of the ranges.
void apply(const Plan& plan, const Log& log, Estimate& out) {
  const std::map<std::string, Log::Booked> booked = log.booked();
  out.first_token = log.first_token();
  for (const auto& [item, bookings] : booked) {
    out.booked_days += bookings.days;
    if (!plan.find(item)) out.booked_elsewhere.push_back(item);
  }
  double to_first_token = 0, likely = 0;
  for (ItemEstimate& each : out.items) {
    const auto found = booked.find(each.item.id);
    if (found != booked.end()) {
      each.booked = found->second.days;
      each.state = found->second.is_done ? State::logged : State::in_progress;
    }
    if (!each.item.is_to_first_token) continue;
    to_first_token += each.booked;
    likely += each.item.likely;
  }
  if (!out.first_token) return;
  // Calendar days into working days: five of seven.
  const double worked = out.first_token->after_days * 5.0 / 7.0 * plan.engineers;
  for (ItemEstimate& each : out.items) {
    if (!each.item.is_to_first_token) continue;
    each.state = to_first_token > 0 ? State::logged : State::first_token;
    if (to_first_token <= 0) each.booked = likely > 0 ? worked * each.item.likely / likely : 0;
  }
}

bool is_fixed(const ItemEstimate& item) { return item.state == State::logged || item.state == State::first_token; }

/// Of one item in one draw.
double drawn(const ItemEstimate& item, const Range& range, double u) {
  if (is_fixed(item)) return item.booked;
  const double days = range.at(u);
  return item.state == State::in_progress ? std::max(days, item.booked) : days;
}

/// A standard normal into (0, 1).
double share_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// Draws the sum; items share a part of their chance, so that any two have this correlation (of their normal scores).
std::vector<double> draw(const Plan& plan, Estimate& out) {
  std::vector<Range> ranges;
  for (const ItemEstimate& each : out.items) ranges.emplace_back(each.item, plan.shape);
  std::vector<double> sums, squares(out.items.size(), 0), totals(out.items.size(), 0);
  const double common = std::sqrt(plan.correlation), own = std::sqrt(1 - plan.correlation);
  for (std::size_t draw = 0; draw < plan.draws; ++draw) {
    Rng rng(plan.seed, 0x6d6967, draw);
    const double shared = rng.normal();
    double sum = 0;
    for (std::size_t i = 0; i < out.items.size(); ++i) {
      const double days = drawn(out.items[i], ranges[i], share_below(common * shared + own * rng.normal()));
      sum += days;
      totals[i] += days;
      squares[i] += days * days;
    }
    sums.push_back(sum);
  }
  const auto n = static_cast<double>(plan.draws);
  double variance = 0;
  for (std::size_t i = 0; i < out.items.size(); ++i) {
    out.items[i].days = totals[i] / n;
    squares[i] = is_fixed(out.items[i]) ? 0 : std::max(0.0, squares[i] / n - out.items[i].days * out.items[i].days);
    variance += squares[i];
  }
  for (std::size_t i = 0; i < out.items.size(); ++i)
    out.items[i].spread_share = variance > 0 ? squares[i] / variance : 0;
  std::sort(sums.begin(), sums.end());
  return sums;
}

Spread spread_of(const std::vector<double>& sorted, double plus, double divisor) {
  const auto at = [&](double p) { return (stats::nearest_rank_quantile(sorted, p).value_or(0) + plus) / divisor; };
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  return {at(0.1), at(0.5), at(0.9), (mean + plus) / divisor};
}

}  // namespace

double quantile_of(const Item& item, Shape shape, double u) {
  const double a = item.low, m = item.likely, b = item.high;
  if (b <= a) return a;
  if (shape == Shape::pert)
    return a + (b - a) * stats::beta_quantile(1 + 4 * (m - a) / (b - a), 1 + 4 * (b - m) / (b - a), u);
  const double turn = (m - a) / (b - a);
  return u < turn ? a + std::sqrt(u * (b - a) * (m - a)) : b - std::sqrt((1 - u) * (b - a) * (b - m));
}

Estimate work_out(const Plan& plan, const Log* log) {
  Estimate out;
  for (const Item& each : plan.items) out.items.push_back({each, State::estimated, 0, 0, 0});
  if (log) apply(plan, *log, out);
  double elsewhere = 0;
  if (log) {
    const auto booked = log->booked();
    for (const std::string& each : out.booked_elsewhere) elsewhere += booked.at(each).days;
  }
  for (const ItemEstimate& each : out.items) {
    if (!is_fixed(each) && each.item.basis == Basis::assumption) ++out.assumed;
  }
  const std::vector<double> sums = draw(plan, out);
  out.person_days = spread_of(sums, elsewhere, 1);
  out.engineer_months = spread_of(sums, elsewhere, plan.days_per_month());
  if (!plan.people) return out;
  const double per_day = plan.people->per_year / plan.days_per_year;
  out.cost_p10 = Money{out.person_days.p10 * per_day, plan.people->currency};
  out.cost_p50 = Money{out.person_days.p50 * per_day, plan.people->currency};
  out.cost_p90 = Money{out.person_days.p90 * per_day, plan.people->currency};
  return out;
}

}  // namespace scoville::migration
