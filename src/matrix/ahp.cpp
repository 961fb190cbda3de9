#include "matrix/ahp.hpp"

#include <array>
#include <cmath>

#include "matrix/weights.hpp"

namespace scoville::matrix {
namespace {

/// Saaty's random index for n = 3 … 10 (Saaty 1980).
constexpr std::array kRandomIndex{0.58, 0.90, 1.12, 1.24, 1.32, 1.41, 1.45, 1.49};

bool is_judgement(const std::vector<std::vector<double>>& pairs) {
  const std::size_t n = pairs.size();
  if (n < 2 || n > 10) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (pairs[i].size() != n) return false;
    for (std::size_t j = 0; j < n; ++j) {
      if (!(pairs[i][j] > 0) || !std::isfinite(pairs[i][j])) return false;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      if (std::abs(pairs[i][j] * pairs[j][i] - 1) > 0.01) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<AhpWeights> ahp_weights(const std::vector<std::vector<double>>& pairs) {
  if (!is_judgement(pairs)) return std::nullopt;
  const std::size_t size = pairs.size();
  const auto n = static_cast<double>(size);
  std::vector<double> means;
  for (const std::vector<double>& row : pairs) {
    double logs = 0;
    for (const double each : row) logs += std::log(each);
    means.push_back(std::exp(logs / n));
  }
  AhpWeights out;
  out.weights = normalised(means);
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) sum += pairs[i][j] * out.weights[j];
    out.lambda += sum / out.weights[i] / n;
  }
  if (size > 2) out.consistency = (out.lambda - n) / (n - 1) / kRandomIndex[size - 3];
  return out;
}

}  // namespace scoville::matrix
