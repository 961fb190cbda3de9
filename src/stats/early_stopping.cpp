#include "stats/early_stopping.hpp"

#include <cmath>

#include "stats/distributions.hpp"
#include "stats/search.hpp"

namespace scoville::stats {
namespace {

constexpr std::uint64_t kMostRequests = std::uint64_t{1} << 53;  // beyond, a double does not count one by one

bool is_share(double value) { return value > 0 && value < 1; }

/// Whether t over the limit among n are few enough.
bool is_certain(std::uint64_t t, std::uint64_t n, double p, double confidence) {
  return binomial_at_most(t, n, 1 - p) <= 1 - confidence;
}

}  // namespace

std::optional<std::uint64_t> h_min(std::uint64_t t, double p, double confidence) {
  if (!is_share(p) || !is_share(confidence) || t >= kMostRequests) return std::nullopt;
  const auto enough = [&](std::uint64_t h) { return is_certain(t, h + t, p, confidence); };
  std::uint64_t bound = 1;
  while (!enough(bound)) {
    bound *= 2;
    if (bound > kMostRequests) return std::nullopt;
  }
  return first_where(bound / 2, bound, enough);
}

std::optional<std::uint64_t> allowed_overlatency(std::uint64_t n, double p, double confidence) {
  if (!is_share(p) || !is_share(confidence) || n > kMostRequests) return std::nullopt;
  // h_min(t) + t <= n says the same as is_certain(t, n): the tail falls as n grows.
  const auto too_many = first_where(0, n, [&](std::uint64_t t) { return !is_certain(t, n, p, confidence); });
  if (too_many < 2) return std::nullopt;
  return too_many - 1;
}

std::optional<CertifiedPercentile> certified_percentile(std::span<const double> sorted, double p, double confidence) {
  const auto t = allowed_overlatency(sorted.size(), p, confidence);
  if (!t) return std::nullopt;
  const std::uint64_t rank = sorted.size() - *t + 1;
  const double value = sorted[rank - 1];
  if (!std::isfinite(value)) return std::nullopt;
  return CertifiedPercentile{value, rank, *t};
}

std::optional<std::uint64_t> minimum_sample(double p, double confidence) {
  const auto h = h_min(1, p, confidence);
  return h ? std::optional(*h + 1) : std::nullopt;
}

}  // namespace scoville::stats
