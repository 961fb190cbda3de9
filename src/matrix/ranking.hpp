#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scoville::matrix {

/// Utilities of one candidate, in the order of the criteria, each from 0 (at the limit of the knock-out) to 1
/// (excellent). The ends are what the measurement leaves open.
struct Arm {
  std::string name;
  std::vector<double> utilities;
  std::vector<double> low, high;  ///< empty: nothing is known of the error
  std::string knocked_out;        ///< why it is out of the ranking; empty: it is in
};

/// Utilities that are compared: arms × criteria.
using Utilities = std::vector<std::vector<double>>;

/// Σ w·u, one an arm. Weights need not add up to 1: they are divided by their sum.
std::vector<double> weighted_sum(const Utilities& utilities, std::span<const double> weights);

/// Closeness to the ideal (Hwang and Yoon 1981), from 0 to 1: columns divided by their Euclidean norm, weighted, then
/// the distance to the worst of each ÷ (that + the distance to the best of each). It depends on who else is listed.
std::vector<double> topsis(const Utilities& utilities, std::span<const double> weights);

/// Who would win if nobody knew the weights: every vector of weights on a grid of this step.
struct WinShare {
  std::vector<std::size_t> wins;  ///< one an arm
  std::size_t ties = 0, total = 0;
  double share(std::size_t arm) const {
    return total ? static_cast<double>(wins[arm]) / static_cast<double>(total) : 0;
  }
};
/// Criteria that have weight 0 are left out of the grid: 6 others give 3003 vectors at step 0.1, 7 give 8008.
WinShare win_share(const Utilities& utilities, std::span<const double> weights, std::size_t steps = 10);

/// The weight of one criterion at which a rival draws level with the best, the others keeping their proportions.
struct Flip {
  std::size_t criterion = 0, rival = 0;
  double weight = 0;  ///< now
  double at = 0;      ///< level there
};
/// Every flip there is within [0, 1], against every rival; one at |w| < 1e-12 is none. The nearest comes first.
std::vector<Flip> flips(const Utilities& utilities, std::span<const double> weights);

/// Of each weight made smaller and larger by this part, the others keeping their proportions: how many of these
/// changes put another arm first.
struct WeightTrials {
  std::size_t changed = 0, total = 0;
};
WeightTrials vary_weights(const Utilities& utilities, std::span<const double> weights, double part = 0.25);

/// Place of the largest; ties go to the first.
std::size_t best_of(std::span<const double> scores);

enum class Doubt { methods_disagree, small_win_share, within_error };
constexpr double kLeastWinShare = 0.6;

struct Robustness {
  std::vector<Doubt> doubts;
  bool is_robust() const { return doubts.empty(); }
};

/// All that is said of an order of candidates.
struct Ranking {
  std::vector<Arm> arms;                                ///< those that are in; the order of the input
  std::vector<Arm> left_out;                            ///< knocked out
  std::vector<double> weights;                          ///< sum 1
  std::vector<double> scores, scores_low, scores_high;  ///< ends empty where an arm has none
  std::vector<double> closeness;
  WinShare wins;
  std::vector<Flip> flips;
  WeightTrials trials;
  Robustness robustness;
  std::size_t best = 0, best_by_topsis = 0;

  std::vector<std::size_t> order() const;  ///< best first, by weighted sum
};

/// Nullopt where every arm is knocked out. Arms have as many utilities as there are weights; a weight is > 0.
std::optional<Ranking> rank(std::vector<Arm> arms, std::span<const double> weights);

}  // namespace scoville::matrix
