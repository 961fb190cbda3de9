#pragma once

#include <optional>

#include "analyse/in_flight.hpp"

namespace scoville::analyse {

/// A rate over the whole run, and over the steady part of it.
struct Rate {
  std::optional<double> full, steady;
};

struct Throughput {
  Rate requests_per_s;       ///< successes, each by the share of its time in the window
  Rate output_tokens_per_s;  ///< tokens that arrived in the window; unknown where answers are no text
  Rate total_tokens_per_s;   ///< prompt tokens (at their first token) and output tokens
};

/// Rates per second. Only successes count. A request whose tokens are not known makes the token rates of its window
/// unknown rather than too low.
class ThroughputSums {
 public:
  ThroughputSums(const Window& full, const std::optional<Window>& steady) : full_{full}, steady_(steady) {}
  void add(const event::RequestRecord& record);
  Throughput rates() const;

 private:
  struct Sums {
    double requests = 0, output = 0, prompt = 0;
    bool knows_output = true, knows_prompt = true, makes_tokens = true;
  };
  static void add(const event::RequestRecord& record, const Window& window, Sums& sums);

  Window full_;
  std::optional<Window> steady_;
  Sums in_full_, in_steady_;
};

/// Calls `each(arrival, tokens)` for every share of the output tokens of `record`: n_out spread over its events by
/// their counts where known, else evenly; all of it at the end where no event came. The shares add up to n_out.
template <class Each>
void for_each_arrival(const event::RequestRecord& record, Each each) {
  const double n = static_cast<double>(record.n_out.value_or(0));
  double counted = 0;
  bool is_known = true;
  for (const event::TokenEvent& token : record.tokens) {
    is_known = token.tokens != event::TokenEvent::kUnknownTokens;
    if (!is_known) break;
    counted += token.tokens;
  }
  if (record.tokens.empty() && record.end) each(*record.end, n);
  for (const event::TokenEvent& token : record.tokens) {
    const bool is_weighted = is_known && counted > 0;
    each(token.at, is_weighted ? n * token.tokens / counted : n / static_cast<double>(record.tokens.size()));
  }
}

/// Output tokens of `record` that arrived within `window`, its edges included.
double tokens_within(const event::RequestRecord& record, const Window& window);

}  // namespace scoville::analyse
