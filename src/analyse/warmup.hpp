#pragma once

#include <optional>

#include "analyse/in_flight.hpp"
#include "analyse/token_rate.hpp"
#include "stats/steady.hpp"

namespace scoville::analyse {

/// The part of a run after its warm-up, found from the run itself.
struct FoundWarmup {
  stats::SteadyVerdict verdict = stats::SteadyVerdict::not_found;
  Nanos length{};  ///< of the warm-up; never more than half of the run
  Nanos bin{};     ///< the series that was judged had one value per bin
};

/// Judges tokens per second over the time in which requests were issued (decision.md 3.7: MSER-5, Mann-Kendall,
/// Pettitt).
class WarmupFinder {
 public:
  /// `records`: of the whole run `full`; their token events are not needed here, but with add().
  WarmupFinder(const Records& records, const Window& full);
  void add(const event::RequestRecord& record) { rates_.add(record); }
  FoundWarmup found() const;

 private:
  Window full_;
  Nanos bin_;
  TokenRates rates_;
};

/// Steady window of a run with a schedule: MSER-5 over the TTFT in the order of issue drops the beginning, the drain
/// after the last issue, successful or not, is cut. Empty with fewer than 20 requests.
std::optional<Window> steady_by_issue(const Records& records);

}  // namespace scoville::analyse
