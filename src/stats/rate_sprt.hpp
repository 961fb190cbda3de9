#pragma once

#include <optional>
#include <string_view>

#include "stats/two_shares.hpp"

namespace scoville::stats {

/// Wald's sequential test of two rates: "the candidate's is the base's" against "it is `ratio` times as high".
///
/// Given how many events there were on both sides together, each is the candidate's with probability
/// s = n_c / (n_b + n_c) under the first and ratio·n_c / (n_b + ratio·n_c) under the second, whatever the rate itself
/// (events are rare: Poisson). So nothing has to be known of the rate, and it may be looked at as often as one likes.
enum class SprtState {
  goes_on,    ///< between the bounds
  equal,      ///< not `ratio` times as high
  increased,  ///< it is
};
std::string_view name_of(SprtState state);

class RateSprt {
 public:
  /// ratio > 1; alpha: of calling an increase where there is none; beta: of missing one of `ratio`.
  RateSprt(double ratio, double alpha, double beta);

  /// Events and trials since the last call. The first decision stands.
  SprtState add(const Share& base, const Share& candidate);

  SprtState state() const { return state_; }
  double log_likelihood_ratio() const { return sum_; }

 private:
  double ratio_, upper_, lower_, sum_ = 0;
  SprtState state_ = SprtState::goes_on;
};

}  // namespace scoville::stats
