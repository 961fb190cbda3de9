#include "analyse/emit.hpp"

#include <algorithm>
#include <cmath>

namespace scoville::analyse {
namespace {

constexpr std::int64_t kUnit = 100;  // ns

}  // namespace

void EmitPool::add(const event::RequestRecord& record) {
  std::optional<std::int32_t> before;
  for (const event::TokenEvent& each : record.tokens) {
    if (each.since_emit_ns == event::TokenEvent::kNoEmitTime) {
      before.reset();
      continue;
    }
    const std::int64_t error = each.since_emit_ns;
    errors_.add((error >= 0 ? error + kUnit / 2 : error - kUnit / 2) / kUnit);
    largest_ = std::max(largest_, error);
    if (before) {
      const double difference = static_cast<double>(each.since_emit_ns) - *before;
      sum_ += difference;
      squares_ += difference * difference;
      ++gaps_;
    }
    before = each.since_emit_ns;
  }
}

std::optional<EmitError> EmitPool::error() const {
  if (errors_.count() == 0) return std::nullopt;
  EmitError out;
  out.n = errors_.count();
  out.p50 = Nanos(*errors_.quantile(0.5) * kUnit);
  out.p99 = Nanos(*errors_.quantile(0.99) * kUnit);
  out.largest = Nanos(largest_);
  if (gaps_ > 1) {
    const double mean = sum_ / static_cast<double>(gaps_);
    out.icl_error_sd_ns = std::sqrt(std::max(0.0, squares_ / static_cast<double>(gaps_) - mean * mean));
  }
  return out;
}

}  // namespace scoville::analyse
