#include "matrix/weights.hpp"

#include <numeric>

#include "base/check.hpp"

namespace scoville::matrix {

std::vector<double> normalised(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  SCOVILLE_CHECK(sum > 0, "a weight is above 0");
  std::vector<double> out(weights.begin(), weights.end());
  for (double& each : out) each /= sum;
  return out;
}

std::vector<double> with_weight(std::span<const double> weights, std::size_t k, double value) {
  std::vector<double> out = normalised(weights);
  const double others = 1 - out[k];
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i == k)
      out[i] = value;
    else
      out[i] = others > 0 ? out[i] / others * (1 - value) : (1 - value) / static_cast<double>(out.size() - 1);
  }
  return out;
}

void for_each_on_simplex(std::size_t size, std::size_t steps,
                         const std::function<void(const std::vector<std::size_t>&)>& visit) {
  if (size == 0) return;
  std::vector<std::size_t> parts(size, 0);
  const std::function<void(std::size_t, std::size_t)> fill = [&](std::size_t at, std::size_t left) {
    if (at + 1 == size) {
      parts[at] = left;
      visit(parts);
      return;
    }
    for (std::size_t part = 0; part <= left; ++part) {
      parts[at] = part;
      fill(at + 1, left - part);
    }
  };
  fill(0, steps);
}

}  // namespace scoville::matrix
