#include "stats/ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "base/check.hpp"

namespace scoville::stats {

std::vector<double> mid_ranks(std::span<const double> values) {
  SCOVILLE_CHECK(std::ranges::all_of(values, [](double value) { return value == value; }),
                 "no NaN among ranked values");
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t i = from; i < to; ++i) ranks[order[i]] = static_cast<double>(from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

}  // namespace scoville::stats
