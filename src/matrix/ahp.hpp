#pragma once

#include <optional>
#include <vector>

namespace scoville::matrix {

/// Weights out of pairwise judgements (Saaty's AHP), by geometric means of the rows. For finding weights only: the
/// candidates themselves are never judged so.
struct AhpWeights {
  std::vector<double> weights;  ///< sum 1
  double lambda = 0;            ///< largest eigenvalue, as the mean of (A w)_i / w_i
  double consistency = 0;       ///< CR: (λ − n)/(n − 1) ÷ Saaty's random index; 0 for n ≤ 2
  bool is_consistent() const { return consistency <= 0.1; }
};

/// `pairs`[i][j]: how many times as important i is as j. Nullopt unless square (2 to 10), all above 0, 1 on the
/// diagonal, and a[j][i] = 1 / a[i][j] within 1 %.
std::optional<AhpWeights> ahp_weights(const std::vector<std::vector<double>>& pairs);

}  // namespace scoville::matrix
