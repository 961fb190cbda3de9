#pragma once

#include <cstdint>
#include <optional>

namespace scoville::stats {

/// So many events (errors, missed limits) in so many requests.
struct Share {
  double events = 0, trials = 0;  ///< not necessarily whole: counters of a fleet are sums

  double rate() const { return trials > 0 ? events / trials : 0; }
};

/// Two independent shares against each other, by the score test of Farrington and Manning (1990): the variance is taken
/// at the rates that are likeliest where the difference asked about is the true one, so that it works for rates near 0
/// and for none at all. Nullopt without trials on both sides, or for a margin outside [0, 1).

/// p of "the candidate is worse by `margin` or more" (as a difference of rates): small means not inferior.
std::optional<double> noninferior_p(const Share& base, const Share& candidate, double margin);

/// p of "the candidate is no worse": small means worse.
std::optional<double> worse_p(const Share& base, const Share& candidate);

/// Requests an arm until a rise from `base` to `candidate` is found with this power at this one-sided level, by the
/// normal approximation with the pooled variance under no difference. 0.1 % to 0.2 %, 5 %, 80 %: 18,519. Nullopt unless
/// 0 < base < candidate < 1 and alpha, 1 − power in (0, 0.5).
std::optional<std::uint64_t> requests_per_arm(double base, double candidate, double alpha = 0.05, double power = 0.8);

}  // namespace scoville::stats
