#include "analyse/warmup.hpp"

#include <algorithm>

#include "analyse/token_rate.hpp"
#include "stats/mser.hpp"

namespace scoville::analyse {
namespace {

constexpr std::size_t kFewestRequests = 20;
constexpr int kBins = 60;
constexpr Nanos kShortestBin = std::chrono::milliseconds(100), kLongestBin = std::chrono::seconds(1);

/// The drain is no steady state: the window ends with the last issue.
Window issuing(const Records& records, Instant from) {
  Window issued{from, from};
  for (const event::RequestRecord* record : records) {
    if (record->written) issued.to = std::max(issued.to, *record->written);
  }
  return issued;
}

}  // namespace

WarmupFinder::WarmupFinder(const Records& records, const Window& full)
    : full_(full),
      bin_(std::clamp(full.length() / kBins, kShortestBin, kLongestBin)),
      rates_(issuing(records, full.from), bin_) {}

FoundWarmup WarmupFinder::found() const {
  FoundWarmup found;
  found.bin = bin_;
  std::vector<double> rates = rates_.per_second();
  if (rates.size() > 1) rates.pop_back();  // the last bin is not whole
  const stats::SteadyWindow steady = stats::find_steady(rates);
  found.verdict = steady.verdict;
  if (steady.verdict != stats::SteadyVerdict::not_found) {
    found.length = std::min(found.bin * static_cast<std::int64_t>(steady.first), full_.length() / 2);
  }
  return found;
}

std::optional<Window> steady_by_issue(const Records& records) {
  std::vector<double> ttft;
  std::vector<Instant> issued;
  Instant last = Instant::min();
  for (const event::RequestRecord* record : records) {
    if (record->zero()) last = std::max(last, *record->zero());
    const Moment first = record->makes_tokens() ? record->first_token : record->end;
    if (!record->succeeded() || !first || !record->zero()) continue;
    ttft.push_back(to_seconds(*first - *record->zero()));
    issued.push_back(*record->zero());
  }
  if (ttft.size() < kFewestRequests) return std::nullopt;
  const auto cut = stats::mser5(ttft);
  const std::size_t first = cut ? std::min(cut->first_kept, ttft.size() / 2) : 0;
  const Window window{issued[first], last};
  if (window.length() <= Nanos::zero()) return std::nullopt;
  return window;
}

}  // namespace scoville::analyse
