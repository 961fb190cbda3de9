#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "analyse/run_statistics.hpp"
#include "stats/verdict.hpp"

namespace scoville::decide {

/// One number of a run that may be compared. docs/method.md defines each; the keys are those of the JSON and of
/// --primary.
struct Metric {
  std::string_view key;   ///< "tpot", "ttft_p95", "output_tokens_per_s"
  std::string_view unit;  ///< "ns", "1/s", "1"
  stats::Better better = stats::Better::lower;
  bool is_rate = false;  ///< of the whole system: means something per device
  analyse::RunFigure (*of)(const analyse::RunStatistics& run) = nullptr;
};

/// All, in the order of every table. The bare name of a latency is the run's median.
std::span<const Metric> metrics();
const Metric* find_metric(std::string_view key);

constexpr std::string_view kDefaultPrimary = "tpot";

}  // namespace scoville::decide
