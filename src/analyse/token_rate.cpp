#include "analyse/token_rate.hpp"

#include <algorithm>

#include "analyse/throughput.hpp"
#include "base/check.hpp"

namespace scoville::analyse {

TokenRates::TokenRates(const Window& window, Nanos bin) : window_(window), bin_(bin) {
  SCOVILLE_CHECK(bin > Nanos::zero(), "a bin has a length");
  if (window.length() <= Nanos::zero()) return;
  tokens_.resize(static_cast<std::size_t>(std::max<std::int64_t>(1, (window.length() + bin / 2) / bin)));
}

void TokenRates::add(const event::RequestRecord& record) {
  if (!record.succeeded() || tokens_.empty()) return;
  const auto put = [&](Instant at, double count) {
    if (at < window_.from || at > window_.to) return;
    tokens_[std::min(tokens_.size() - 1, static_cast<std::size_t>((at - window_.from) / bin_))] += count;
  };
  if (record.makes_tokens()) {
    for_each_arrival(record, put);
  } else if (record.end) {
    put(*record.end, static_cast<double>(record.prompt_tokens.value_or(1)));
  }
}

std::vector<double> TokenRates::per_second() const {
  std::vector<double> rates = tokens_;
  if (rates.empty()) return rates;
  const Nanos last = window_.length() - bin_ * static_cast<std::int64_t>(rates.size() - 1);
  for (double& each : rates) each /= to_seconds(bin_);
  rates.back() = tokens_.back() / to_seconds(last);
  return rates;
}

std::optional<double> peak_rate(const std::vector<double>& rates) {
  if (rates.empty()) return std::nullopt;
  return *std::max_element(rates.begin(), rates.end());
}

}  // namespace scoville::analyse
