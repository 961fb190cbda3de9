#include "stats/rate_sprt.hpp"

#include <cmath>

#include "base/check.hpp"

namespace scoville::stats {

std::string_view name_of(SprtState state) {
  switch (state) {
    case SprtState::goes_on:
      return "goes_on";
    case SprtState::equal:
      return "equal";
    case SprtState::increased:
      return "increased";
  }
  SCOVILLE_CHECK(false, "every state has a name");
}

RateSprt::RateSprt(double ratio, double alpha, double beta)
    : ratio_(ratio), upper_(std::log((1 - beta) / alpha)), lower_(std::log(beta / (1 - alpha))) {
  SCOVILLE_CHECK(ratio > 1 && alpha > 0 && beta > 0 && alpha + beta < 1, "a test has two hypotheses and room between");
}

SprtState RateSprt::add(const Share& base, const Share& candidate) {
  if (state_ != SprtState::goes_on || !(base.trials > 0) || !(candidate.trials > 0)) return state_;
  const double all = base.trials + candidate.trials, weighted = base.trials + ratio_ * candidate.trials;
  sum_ += candidate.events * std::log(ratio_ * all / weighted) + base.events * std::log(all / weighted);
  if (sum_ >= upper_)
    state_ = SprtState::increased;
  else if (sum_ <= lower_)
    state_ = SprtState::equal;
  return state_;
}

}  // namespace scoville::stats
