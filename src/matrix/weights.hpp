#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace scoville::matrix {

/// Divided by their sum. Weights are ≥ 0, and one is > 0.
std::vector<double> normalised(std::span<const double> weights);

/// Weight `k` set to `value` (0 to 1), the others keeping their proportions; alike where they have none.
std::vector<double> with_weight(std::span<const double> weights, std::size_t k, double value);

/// Every way to share `steps` equal parts among `size` places, each once: C(steps + size − 1, size − 1) of them.
void for_each_on_simplex(std::size_t size, std::size_t steps,
                         const std::function<void(const std::vector<std::size_t>&)>& visit);

}  // namespace scoville::matrix
