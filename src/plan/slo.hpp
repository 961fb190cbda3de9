#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

namespace scoville::plan {

/// The latencies that an SLO can limit. The names are those of the flag and of the JSON.
enum class SloMetric { ttft, ttfa, tpot, e2e };
std::string_view name_of(SloMetric metric);

/// "ttft:p99:500ms": of all attempted requests, at least this share has a latency within the limit. A request that
/// failed, or that has no such latency, is not within it.
struct Slo {
  SloMetric metric = SloMetric::ttft;
  double share = 0.99;  ///< in (0, 1)
  Nanos limit{};
  std::string text;  ///< as it was written, its unit put in where it had none
};

/// Several with commas or blanks between. A limit without a unit counts as ms, as with --goodput. The error says what
/// was expected, or what is limited twice.
Result<std::vector<Slo>> parse_slos(std::string_view text);

}  // namespace scoville::plan
