#include "matrix/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "matrix/weights.hpp"

namespace scoville::matrix {
namespace {

constexpr double kTie = 1e-9;

double weighted(std::span<const double> utilities, std::span<const double> weights) {
  return std::inner_product(utilities.begin(), utilities.end(), weights.begin(), 0.0);
}

Utilities utilities_of(const std::vector<Arm>& arms) {
  Utilities out;
  for (const Arm& each : arms) out.push_back(each.utilities);
  return out;
}

/// One end of the scores; empty where an arm does not know its own.
std::vector<double> scores_at(const std::vector<Arm>& arms, std::span<const double> weights,
                              const std::vector<double> Arm::*end) {
  std::vector<double> out;
  for (const Arm& each : arms) {
    if ((each.*end).size() != weights.size()) return {};
    out.push_back(weighted(each.*end, weights));
  }
  return out;
}

Robustness robustness_of(const Ranking& ranking) {
  Robustness out;
  if (ranking.arms.size() < 2) return out;
  if (ranking.best != ranking.best_by_topsis) out.doubts.push_back(Doubt::methods_disagree);
  if (ranking.wins.share(ranking.best) < kLeastWinShare) out.doubts.push_back(Doubt::small_win_share);
  if (ranking.scores_low.empty() || ranking.scores_high.empty()) return out;
  for (std::size_t i = 0; i < ranking.arms.size(); ++i) {
    if (i == ranking.best || ranking.scores_high[i] < ranking.scores_low[ranking.best]) continue;
    out.doubts.push_back(Doubt::within_error);
    break;
  }
  return out;
}

}  // namespace

std::size_t best_of(std::span<const double> scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

std::vector<double> weighted_sum(const Utilities& utilities, std::span<const double> weights) {
  const std::vector<double> shares = normalised(weights);
  std::vector<double> out;
  for (const std::vector<double>& each : utilities) out.push_back(weighted(each, shares));
  return out;
}

std::vector<double> topsis(const Utilities& utilities, std::span<const double> weights) {
  const std::vector<double> shares = normalised(weights);
  std::vector<double> to_best(utilities.size(), 0), to_worst(utilities.size(), 0);
  for (std::size_t k = 0; k < shares.size(); ++k) {
    double squares = 0, best = -INFINITY, worst = INFINITY;
    for (const auto& arm : utilities) {
      squares += arm[k] * arm[k];
      best = std::max(best, arm[k]);
      worst = std::min(worst, arm[k]);
    }
    const double scale = squares > 0 ? shares[k] / std::sqrt(squares) : 0;
    for (std::size_t i = 0; i < utilities.size(); ++i) {
      to_best[i] += std::pow(scale * (best - utilities[i][k]), 2);
      to_worst[i] += std::pow(scale * (utilities[i][k] - worst), 2);
    }
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < utilities.size(); ++i) {
    const double near = std::sqrt(to_best[i]), far = std::sqrt(to_worst[i]);
    out.push_back(near + far > 0 ? far / (near + far) : 1);  // all arms alike: each is the ideal
  }
  return out;
}

WinShare win_share(const Utilities& utilities, std::span<const double> weights, std::size_t steps) {
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] > 0) used.push_back(k);
  }
  WinShare out;
  out.wins.assign(utilities.size(), 0);
  std::vector<double> scores(utilities.size());
  for_each_on_simplex(used.size(), steps, [&](const std::vector<std::size_t>& parts) {
    for (std::size_t i = 0; i < utilities.size(); ++i) {
      double score = 0;
      for (std::size_t k = 0; k < used.size(); ++k) score += static_cast<double>(parts[k]) * utilities[i][used[k]];
      scores[i] = score;
    }
    const std::size_t best = best_of(scores);
    const auto level = std::count_if(scores.begin(), scores.end(),
                                     [&](double score) { return scores[best] - score < kTie * double(steps); });
    ++out.total;
    if (level > 1)
      ++out.ties;
    else
      ++out.wins[best];
  });
  return out;
}

std::vector<Flip> flips(const Utilities& utilities, std::span<const double> weights) {
  const std::vector<double> shares = normalised(weights);
  const std::size_t best = best_of(weighted_sum(utilities, weights));
  std::vector<Flip> out;
  for (std::size_t rival = 0; rival < utilities.size(); ++rival) {
    if (rival == best) continue;
    std::vector<double> ahead(shares.size());
    for (std::size_t k = 0; k < shares.size(); ++k) ahead[k] = utilities[best][k] - utilities[rival][k];
    const double lead = weighted(ahead, shares);
    for (std::size_t k = 0; k < shares.size(); ++k) {
      // Where both are equally good in a criterion, all the weight on it makes them level: that says nothing.
      if (shares[k] >= 1 || std::abs(ahead[k]) < 1e-12) continue;
      const double rest = (lead - shares[k] * ahead[k]) / (1 - shares[k]);
      const double at = rest / (rest - ahead[k]);
      if (std::isfinite(at) && at >= 1e-12 && at <= 1) out.push_back({k, rival, shares[k], at});
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Flip& a, const Flip& b) { return std::abs(a.at - a.weight) < std::abs(b.at - b.weight); });
  return out;
}

WeightTrials vary_weights(const Utilities& utilities, std::span<const double> weights, double part) {
  const std::vector<double> shares = normalised(weights);
  const std::size_t best = best_of(weighted_sum(utilities, shares));
  WeightTrials out;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (shares[k] <= 0) continue;
    for (const double sign : {-1.0, 1.0}) {
      const std::vector<double> trial = with_weight(shares, k, std::min(1.0, shares[k] * (1 + sign * part)));
      ++out.total;
      if (best_of(weighted_sum(utilities, trial)) != best) ++out.changed;
    }
  }
  return out;
}

std::vector<std::size_t> Ranking::order() const {
  std::vector<std::size_t> out(scores.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return out;
}

std::optional<Ranking> rank(std::vector<Arm> arms, std::span<const double> weights) {
  Ranking out;
  for (Arm& each : arms) (each.knocked_out.empty() ? out.arms : out.left_out).push_back(std::move(each));
  if (out.arms.empty()) return std::nullopt;
  out.weights = normalised(weights);
  const Utilities utilities = utilities_of(out.arms);
  out.scores = weighted_sum(utilities, weights);
  out.scores_low = scores_at(out.arms, out.weights, &Arm::low);
  out.scores_high = scores_at(out.arms, out.weights, &Arm::high);
  out.closeness = topsis(utilities, weights);
  out.best = best_of(out.scores);
  out.best_by_topsis = best_of(out.closeness);
  out.wins = win_share(utilities, weights);
  out.flips = flips(utilities, weights);
  out.trials = vary_weights(utilities, weights);
  out.robustness = robustness_of(out);
  return out;
}

}  // namespace scoville::matrix
