#include "endpoint/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace scoville::endpoint {
namespace {

constexpr double kLogSigma = 0.5;

Nanos scaled(Nanos mean, double factor) { return Nanos(std::llround(static_cast<double>(mean.count()) * factor)); }

}  // namespace

Schedule::Schedule(const plan::Script& script, std::uint64_t request, Instant start, std::uint64_t prompt_tokens)
    : script_(&script),
      rng_(script.seed, static_cast<std::uint64_t>(Draw::times), request),
      steady_(start),
      last_(start),
      first_(draw(script.ttft, script.ttft_dist) + script.prefill * static_cast<std::int64_t>(prompt_tokens)) {}

Instant Schedule::next() {
  steady_ += events_ == 0 ? first_ : draw(script_->itl, script_->itl_dist);
  if (script_->stall_at == events_) steady_ += script_->stall_for;
  ++events_;
  const Nanos shift = script_->jitter > Nanos::zero() ? scaled(script_->jitter, 2 * rng_.uniform() - 1) : Nanos::zero();
  return last_ = std::max(last_, steady_ + shift);
}

Nanos Schedule::draw(Nanos mean, plan::Spread spread) {
  switch (spread) {
    case plan::Spread::constant:
      return mean;
    case plan::Spread::exponential:
      return scaled(mean, rng_.exponential());
    case plan::Spread::uniform:
      return scaled(mean, 2 * rng_.uniform());
    case plan::Spread::lognormal:  // E[exp(σZ − σ²/2)] = 1
      return scaled(mean, std::exp(kLogSigma * rng_.normal() - kLogSigma * kLogSigma / 2));
  }
  return mean;
}

}  // namespace scoville::endpoint
