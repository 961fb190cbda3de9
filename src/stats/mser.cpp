#include "stats/mser.hpp"

#include <algorithm>

#include "stats/finite.hpp"
#include "stats/summary.hpp"

namespace scoville::stats {

std::vector<double> mser5_statistics(std::span<const double> series) {
  const std::size_t batches = series.size() / kMserBatch;
  if (batches < 2 || !all_finite(series)) return {};
  std::vector<double> statistics(batches / 2 + 1);
  double level = 0, squares = 0, kept = 0;  // of the batches from d on, gathered from the end (Welford 1962)
  for (std::size_t d = batches; d-- > 0;) {
    const auto z = mean(series.subspan(d * kMserBatch, kMserBatch));
    if (!z) return {};
    kept += 1;
    const double step = *z - level;
    level += step / kept;
    squares += step * (*z - level);
    if (d < statistics.size()) statistics[d] = squares / (kept * kept);
  }
  return all_finite(statistics) ? statistics : std::vector<double>{};
}

std::optional<Truncation> mser5(std::span<const double> series) {
  const auto statistics = mser5_statistics(series);
  if (statistics.empty()) return std::nullopt;
  const auto d = static_cast<std::size_t>(std::ranges::min_element(statistics) - statistics.begin());
  return Truncation{series.size() / kMserBatch, d, d * kMserBatch, d + 1 == statistics.size()};
}

}  // namespace scoville::stats
