#include "analyse/validity.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "stats/autocorrelation.hpp"
#include "stats/summary.hpp"

namespace scoville::analyse {
namespace {

using stats::NoWindow;
using stats::SteadyVerdict;

constexpr double kSignificance = 0.05;  // of all series together
constexpr std::size_t kMostValues = 120;
constexpr int kRateBins = 80;
constexpr Nanos kShortestBin = std::chrono::milliseconds(100);

/// The drain is no steady state: the rate is followed until the last issue.
Window issuing(const Records& records, Instant from) {
  Window issued{from, from};
  for (const event::RequestRecord* record : records) {
    if (record->written) issued.to = std::max(issued.to, *record->written);
  }
  return issued;
}

Records in_order_of_issue(const Records& records) {
  Records out;
  for (const event::RequestRecord* record : records) {
    if (record->succeeded() && record->zero()) out.push_back(record);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return *a->zero() < *b->zero(); });
  return out;
}

std::vector<double> nanos_of(const std::vector<Sample>& samples) {
  std::vector<double> out;
  for (const Sample& each : samples) {
    if (!each.is_censored) out.push_back(static_cast<double>(each.value.count()));
  }
  return out;
}

/// Means of equal batches of neighbours; the values that do not fill one are left out at the start, where warm-up would
/// linger.
std::vector<double> batched(std::span<const double> values, std::size_t per_value) {
  std::vector<double> out;
  for (std::size_t at = values.size() % per_value; at < values.size(); at += per_value)
    out.push_back(stats::mean(values.subspan(at, per_value)).value_or(0));
  return out;
}

SeriesValidity judged(Series which, const std::vector<double>& values, std::size_t per_value, double significance) {
  SeriesValidity out;
  out.series = which;
  out.n = values.size();
  out.per_value = per_value;
  out.r1 = stats::lag1_autocorrelation(values);
  out.effective_n = stats::effective_sample_size(values);
  const std::vector<double> series = batched(values, per_value);
  out.values = series.size();
  stats::SteadyRule rule;
  rule.significance = significance;
  out.window = stats::find_steady(series, rule);
  return out;
}

/// Up to 119 requests are taken one by one; more become 60 to 120 values.
std::size_t batch_of(std::size_t requests) {
  return std::max<std::size_t>(1, (requests + kMostValues - 1) / kMostValues);
}

/// Larger is worse. What cannot be told comes behind what was found.
int badness(const stats::SteadyWindow& window) {
  switch (window.verdict) {
    case SteadyVerdict::steady:
      return 0;
    case SteadyVerdict::not_found:
      return window.reason == NoWindow::over_half ? 2 : 1;
    case SteadyVerdict::staircase:
      return 3;
    case SteadyVerdict::drifting_up:
    case SteadyVerdict::drifting_down:
      break;
  }
  return 4;
}

}  // namespace

std::string_view name_of(Series series) {
  constexpr std::array<std::string_view, 3> kNames{"ttft", "tpot", "output_tokens_per_s"};
  return kNames[static_cast<std::size_t>(series)];
}

std::string_view name_of(SteadyVerdict verdict) {
  constexpr std::array<std::string_view, 5> kNames{"steady", "drifting_up", "drifting_down", "staircase", "not_found"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(NoWindow reason) {
  constexpr std::array<std::string_view, 4> kNames{"none", "too_short", "over_half", "no_level"};
  return kNames[static_cast<std::size_t>(reason)];
}

bool drifts(SteadyVerdict verdict) { return verdict != SteadyVerdict::steady && verdict != SteadyVerdict::not_found; }

const SeriesValidity* Validity::find(Series which) const {
  const auto found = std::find_if(series.begin(), series.end(), [&](const auto& each) { return each.series == which; });
  return found == series.end() ? nullptr : &*found;
}

ValidityJudge::ValidityJudge(const Records& records, const Window& full, bool is_closed_loop)
    : in_order_(in_order_of_issue(records)) {
  const Window issued = issuing(records, full.from);
  bin_ = std::max(kShortestBin, issued.length() / kRateBins);
  if (is_closed_loop) rates_.emplace(issued, bin_);
}

void ValidityJudge::add(const event::RequestRecord& record) {
  if (!record.makes_tokens()) rates_.reset();  // there is no such series
  if (rates_) rates_->add(record);
}

Validity ValidityJudge::validity() const {
  struct Followed {
    Series which;
    std::vector<double> values;
    std::size_t per_value;
  };
  std::vector<Followed> followed;
  const auto follow = [&](Series which, std::vector<double> values, std::size_t per_value) {
    if (!values.empty()) followed.push_back({which, std::move(values), per_value});
  };
  std::vector<double> firsts = nanos_of(ttft(in_order_, Zero::by_rule)), paces = nanos_of(tpot(in_order_));
  const std::size_t per_first = batch_of(firsts.size()), per_pace = batch_of(paces.size());
  follow(Series::ttft, std::move(firsts), per_first);
  follow(Series::tpot, std::move(paces), per_pace);
  if (rates_) {
    std::vector<double> rates = rates_->per_second();
    if (!rates.empty()) rates.pop_back();  // the last bin is not whole
    follow(Series::output_tokens_per_s, std::move(rates), 1);
  }

  Validity out;
  if (followed.empty()) return out;
  out.significance = kSignificance / static_cast<double>(followed.size());
  for (const Followed& each : followed) {
    out.series.push_back(judged(each.which, each.values, each.per_value, out.significance));
    if (each.which == Series::output_tokens_per_s) out.series.back().bin = bin_;
  }
  const auto worst = std::max_element(out.series.begin(), out.series.end(), [](const auto& a, const auto& b) {
    return badness(a.window) < badness(b.window);
  });
  out.verdict = worst->window.verdict;
  out.reason = worst->window.reason;
  return out;
}

}  // namespace scoville::analyse
