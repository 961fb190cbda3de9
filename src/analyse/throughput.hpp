#pragma once

#include <optional>

#include "analyse/in_flight.hpp"

namespace scoville::analyse {

/// A rate over the whole run, and over the steady part of it.
struct Rate {
  std::optional<double> full, steady;
};

struct Throughput {
  Rate requests_per_s;       ///< successes that ended in the window
  Rate output_tokens_per_s;  ///< tokens that arrived in the window
  Rate total_tokens_per_s;   ///< prompt tokens (at their first token) and output tokens
};

/// Rates per second. Only successes count. A request whose tokens are not known makes the token rates of its window
/// unknown rather than too low.
Throughput throughput(const Records& records, const Window& full, const std::optional<Window>& steady);

/// Output tokens of `record` that arrived within `window`: by the counts of its events where known, else n_out spread
/// evenly over its events.
double tokens_within(const event::RequestRecord& record, const Window& window);

}  // namespace scoville::analyse
