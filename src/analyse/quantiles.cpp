#include "analyse/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "stats/autocorrelation.hpp"
#include "stats/batch_means.hpp"
#include "stats/early_stopping.hpp"
#include "stats/quantile.hpp"

namespace scoville::analyse {
namespace {

constexpr double kLevel = 0.95;
constexpr double kLeastEffectiveShare = 0.5;  // of n: below, ranks would promise too much
constexpr double kMostBatchMemory = 0.3;      // r1 of the batches: above, they are too short to be independent

std::vector<double> as_doubles(const std::vector<Sample>& samples) {
  std::vector<double> values;
  values.reserve(samples.size());
  std::transform(samples.begin(), samples.end(), std::back_inserter(values),
                 [](const Sample& each) { return static_cast<double>(each.value.count()); });
  return values;
}

Nanos rounded(double nanos) { return Nanos(std::llround(nanos)); }

/// Known if no sample that was given up comes before it: else all that is known is a bound.
Quantile of_sorted(const std::vector<Sample>& sorted, double p) {
  Quantile quantile = begin_quantile(p, sorted.size());
  const auto rank = stats::nearest_rank(sorted.size(), p);
  if (!rank) return quantile;
  const auto first_censored =
      std::find_if(sorted.begin(), sorted.end(), [](const Sample& each) { return each.is_censored; });
  const auto known = static_cast<std::size_t>(std::distance(sorted.begin(), first_censored));
  if (*rank <= known) {
    quantile.value = sorted[*rank - 1].value;
  } else {
    quantile.at_least = sorted[*rank - 1].value;
    quantile.reason = NoInterval::censored;
    return quantile;
  }
  const auto interval = stats::rank_interval(sorted.size(), p, kLevel);
  if (!interval) {
    quantile.reason = NoInterval::too_few;
    return quantile;
  }
  if (interval->upper > known) {
    quantile.reason = NoInterval::censored;
    return quantile;
  }
  quantile.low = sorted[interval->lower - 1].value;
  quantile.high = sorted[interval->upper - 1].value;
  quantile.level = interval->coverage;
  return quantile;
}

/// A request that was given up took longer than all others: a bound that falls on one is none.
void certify(const std::vector<Sample>& sorted, bool is_correlated, Quantile& out) {
  out.not_certified = is_correlated ? NoInterval::autocorrelated : NoInterval::too_few;
  if (is_correlated || !out.is_supported) return;
  std::vector<double> values;
  values.reserve(sorted.size());
  for (const Sample& each : sorted) {
    if (!each.is_censored) values.push_back(static_cast<double>(each.value.count()));
  }
  values.resize(sorted.size(), std::numeric_limits<double>::infinity());
  const auto found = stats::certified_percentile(values, out.p, kCertifiedLevel);
  out.not_certified = found ? NoInterval::none : NoInterval::censored;
  if (found) out.certified = rounded(found->value);
}

/// Mean and extremes; with samples that were given up, a mean of the others would flatter, so only bounds remain.
void put_extremes(const std::vector<Sample>& samples, Metric& metric) {
  if (samples.empty()) return;
  double sum = 0;
  Nanos largest{};
  for (const Sample& each : samples) {
    metric.censored += each.is_censored;
    sum += static_cast<double>(each.value.count());
    largest = std::max(largest, each.value);
    if (!each.is_censored) metric.smallest = std::min(metric.smallest.value_or(each.value), each.value);
  }
  const Nanos mean = rounded(sum / static_cast<double>(samples.size()));
  (metric.censored ? metric.mean_at_least : metric.mean) = mean;
  (metric.censored ? metric.largest_at_least : metric.largest) = largest;
}

}  // namespace

std::string_view name_of(NoInterval reason) {
  switch (reason) {
    case NoInterval::too_few:
      return "too_few";
    case NoInterval::autocorrelated:
      return "autocorrelated";
    case NoInterval::censored:
      return "censored";
    case NoInterval::pooled:
      return "pooled";
    case NoInterval::coalesced:
      return "coalesced";
    case NoInterval::none:
      break;
  }
  return "";
}

const Quantile* Metric::at(double p) const {
  for (const Quantile& each : quantiles) {
    if (std::fabs(each.p - p) < 1e-9) return &each;
  }
  return nullptr;
}

const std::vector<double>& default_quantiles() {
  static const std::vector<double> list{0.5, 0.9, 0.95, 0.99};
  return list;
}

Metric summarise(const std::vector<Sample>& samples, const std::vector<double>& quantiles) {
  Metric metric;
  metric.n = samples.size();
  put_extremes(samples, metric);
  const std::vector<double> in_order = as_doubles(samples);
  metric.effective_n = stats::effective_sample_size(in_order);
  const bool is_correlated =
      metric.effective_n && *metric.effective_n < kLeastEffectiveShare * static_cast<double>(metric.n);
  std::vector<Sample> sorted = samples;
  std::sort(sorted.begin(), sorted.end(), [](const Sample& a, const Sample& b) {
    return a.value < b.value || (a.value == b.value && !a.is_censored && b.is_censored);
  });
  for (const double p : quantiles) {
    Quantile quantile = of_sorted(sorted, p);
    if (is_correlated && quantile.level) {
      quantile.low.reset();
      quantile.high.reset();
      quantile.level.reset();
      quantile.reason = NoInterval::autocorrelated;
      // A batch with many that were given up has no quantile of its own.
      if (metric.censored == 0) {
        put_batch_interval(quantile, stats::batch_quantile_interval(in_order, p, kLevel), NoInterval::autocorrelated);
      }
    }
    certify(sorted, is_correlated, quantile);
    metric.quantiles.push_back(quantile);
  }
  return metric;
}

Quantile begin_quantile(double p, std::size_t n) {
  Quantile quantile;
  quantile.p = p;
  quantile.needed = static_cast<std::size_t>(stats::minimum_sample(p).value_or(0));
  quantile.is_supported = quantile.needed > 0 && n >= quantile.needed;
  if (n == 0) quantile.reason = NoInterval::too_few;
  quantile.not_certified = quantile.is_supported ? NoInterval::pooled : NoInterval::too_few;
  return quantile;
}

void put_batch_interval(Quantile& quantile, const std::optional<stats::BatchInterval>& interval, NoInterval otherwise) {
  if (!interval || interval->batch_r1.value_or(0) > kMostBatchMemory) {
    quantile.reason = otherwise;
    return;
  }
  quantile.low = rounded(std::max(0.0, interval->lower));
  quantile.high = rounded(interval->upper);
  quantile.level = kLevel;
  quantile.is_by_batches = true;
  quantile.reason = NoInterval::none;
}

}  // namespace scoville::analyse
