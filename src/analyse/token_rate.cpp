#include "analyse/token_rate.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace scoville::analyse {

std::vector<double> token_rates(const Records& records, const Window& window, Nanos bin) {
  SCOVILLE_CHECK(bin > Nanos::zero(), "a bin has a length");
  if (window.length() <= Nanos::zero()) return {};
  const auto bins = static_cast<std::size_t>((window.length() + bin - Nanos(1)) / bin);
  std::vector<double> tokens(bins, 0);
  for (const event::RequestRecord* record : records) {
    if (!record->succeeded() || record->tokens.empty() || !record->n_out) continue;
    const bool knows = std::all_of(record->tokens.begin(), record->tokens.end(), [](const event::TokenEvent& each) {
      return each.tokens != event::TokenEvent::kUnknownTokens;
    });
    const double even = static_cast<double>(*record->n_out) / static_cast<double>(record->tokens.size());
    for (const event::TokenEvent& each : record->tokens) {
      if (each.at < window.from || each.at > window.to) continue;
      const std::size_t at = std::min(bins - 1, static_cast<std::size_t>((each.at - window.from) / bin));
      tokens[at] += knows ? each.tokens : even;
    }
  }
  for (std::size_t i = 0; i < bins; ++i) {
    const Nanos from = bin * static_cast<std::int64_t>(i);
    tokens[i] /= to_seconds(std::min(bin, window.length() - from));
  }
  return tokens;
}

std::optional<double> peak_rate(const std::vector<double>& rates) {
  if (rates.empty()) return std::nullopt;
  return *std::max_element(rates.begin(), rates.end());
}

}  // namespace scoville::analyse
