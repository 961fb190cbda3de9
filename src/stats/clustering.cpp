#include "stats/clustering.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scoville::stats {
namespace {

using Pieces = std::span<const std::vector<double>>;

constexpr std::size_t kFewest = 8;
constexpr std::size_t kFirstLags = 64;
constexpr std::array kThresholds{0.5, 0.75, 0.9};

struct Sum {
  double inflation = 1;
  std::size_t last_lag = 0;
};

/// Where each piece exceeds the threshold, and what is needed of all of them together.
struct Exceedances {
  std::vector<std::vector<std::size_t>> at;
  std::vector<std::size_t> lengths;
  std::size_t n = 0, above = 0, longest = 0;

  Exceedances(Pieces pieces, double threshold) {
    for (const std::vector<double>& piece : pieces) {
      std::vector<std::size_t>& places = at.emplace_back();
      for (std::size_t i = 0; i < piece.size(); ++i) {
        if (piece[i] > threshold) places.push_back(i);
      }
      lengths.push_back(piece.size());
      n += piece.size();
      above += places.size();
      longest = std::max(longest, piece.size());
    }
  }

  /// How often both of two values so far apart exceed, for lags 0 … most.
  std::vector<double> pairs(std::size_t most) const {
    std::vector<double> out(most + 1, 0.0);
    for (const std::vector<std::size_t>& places : at) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = i + 1; j < places.size() && places[j] - places[i] <= most; ++j)
          out[places[j] - places[i]] += 1;
      }
    }
    return out;
  }

  double pairs_possible(std::size_t lag) const {
    double out = 0;
    for (const std::size_t length : lengths) out += length > lag ? static_cast<double>(length - lag) : 0;
    return out;
  }
};

/// Pairs of neighbouring lags are summed while their sum is positive, none larger than the one before. The lags looked
/// at are doubled until the sum has come to its end.
Sum initial_monotone_sum(const Exceedances& all) {
  const double n = static_cast<double>(all.n), share = static_cast<double>(all.above) / n;
  const double variance = n * share * (1 - share);
  if (!(variance > 0)) return {};
  const std::size_t most = all.longest / 4;
  for (std::size_t lags = std::min(most, kFirstLags);; lags = std::min(most, 2 * lags)) {
    const std::vector<double> pairs = all.pairs(lags);
    const auto rho = [&](std::size_t k) { return (pairs[k] - all.pairs_possible(k) * share * share) / variance; };
    Sum out;
    double before = HUGE_VAL, sum = 0;
    std::size_t k = 1;
    for (; k + 1 <= lags; k += 2) {
      const double pair = std::min(before, rho(k) + rho(k + 1));
      if (pair <= 0) break;
      sum += before = pair;
      out.last_lag = k + 1;
    }
    out.inflation = std::max(1.0, 1 + 2 * sum);
    if (k + 1 <= lags || lags == most) return out;
  }
}

double quantile_of(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

}  // namespace

double exceedance_inflation(Pieces pieces, double threshold) {
  const Exceedances all(pieces, threshold);
  return all.n < kFewest ? 1 : initial_monotone_sum(all).inflation;
}

double clustering_inflation(Pieces pieces, double limit, double doubt) {
  std::vector<double> sorted;
  for (const std::vector<double>& piece : pieces) sorted.insert(sorted.end(), piece.begin(), piece.end());
  if (sorted.size() < kFewest) return 1;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> thresholds{limit};
  for (const double share : kThresholds) thresholds.push_back(quantile_of(sorted, share));
  double largest = 1;
  for (const double threshold : thresholds) {
    const Sum sum = initial_monotone_sum(Exceedances(pieces, threshold));
    const double error =
        std::sqrt(2 * (2 * static_cast<double>(sum.last_lag) + 1) / static_cast<double>(sorted.size()));
    largest = std::max(largest, sum.inflation * (1 + doubt * error));
  }
  return largest;
}

}  // namespace scoville::stats
