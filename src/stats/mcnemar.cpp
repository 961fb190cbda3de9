#include "stats/mcnemar.hpp"

#include <algorithm>

#include "stats/distributions.hpp"

namespace scoville::stats {

double mcnemar_p(std::uint64_t base_only, std::uint64_t other_only) {
  const std::uint64_t telling = base_only + other_only;
  if (telling == 0) return 1;
  return std::min(1.0, 2 * binomial_at_most(std::min(base_only, other_only), telling, 0.5));
}

}  // namespace scoville::stats
