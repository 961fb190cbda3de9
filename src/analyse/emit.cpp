#include "analyse/emit.hpp"

#include <algorithm>
#include <cmath>

#include "stats/quantile.hpp"

namespace scoville::analyse {

std::optional<EmitError> emit_error(const Records& records) {
  std::vector<std::int32_t> errors;
  double sum = 0, squares = 0;
  std::size_t gaps = 0;
  for (const event::RequestRecord* record : records) {
    std::optional<std::int32_t> before;
    for (const event::TokenEvent& each : record->tokens) {
      if (each.since_emit_ns == event::TokenEvent::kNoEmitTime) {
        before.reset();
        continue;
      }
      errors.push_back(each.since_emit_ns);
      if (before) {
        const double difference = static_cast<double>(each.since_emit_ns) - *before;
        sum += difference;
        squares += difference * difference;
        ++gaps;
      }
      before = each.since_emit_ns;
    }
  }
  if (errors.empty()) return std::nullopt;
  EmitError out;
  out.n = errors.size();
  const auto pick = [&](double p) {
    const auto at = errors.begin() + static_cast<std::ptrdiff_t>(*stats::nearest_rank(errors.size(), p) - 1);
    std::nth_element(errors.begin(), at, errors.end());
    return Nanos(*at);
  };
  out.p50 = pick(0.5);
  out.p99 = pick(0.99);
  out.largest = Nanos(*std::max_element(errors.begin(), errors.end()));
  if (gaps > 1) {
    const double mean = sum / static_cast<double>(gaps);
    out.icl_error_sd_ns = std::sqrt(std::max(0.0, squares / static_cast<double>(gaps) - mean * mean));
  }
  return out;
}

}  // namespace scoville::analyse
