#include "analyse/token_rate.hpp"

#include <algorithm>

#include "analyse/throughput.hpp"
#include "base/check.hpp"

namespace scoville::analyse {

std::vector<double> token_rates(const Records& records, const Window& window, Nanos bin) {
  SCOVILLE_CHECK(bin > Nanos::zero(), "a bin has a length");
  if (window.length() <= Nanos::zero()) return {};
  const auto bins = static_cast<std::size_t>(std::max<std::int64_t>(1, (window.length() + bin / 2) / bin));
  std::vector<double> tokens(bins, 0);
  for (const event::RequestRecord* record : records) {
    if (!record->succeeded()) continue;
    for_each_arrival(*record, [&](Instant at, double count) {
      if (at < window.from || at > window.to) return;
      tokens[std::min(bins - 1, static_cast<std::size_t>((at - window.from) / bin))] += count;
    });
  }
  const Nanos last = window.length() - bin * static_cast<std::int64_t>(bins - 1);
  for (std::size_t i = 0; i < bins; ++i) tokens[i] /= to_seconds(i + 1 < bins ? bin : last);
  return tokens;
}

std::optional<double> peak_rate(const std::vector<double>& rates) {
  if (rates.empty()) return std::nullopt;
  return *std::max_element(rates.begin(), rates.end());
}

}  // namespace scoville::analyse
