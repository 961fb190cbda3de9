#include "load/pacer.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/rng.hpp"

namespace scoville::load {
namespace {

constexpr std::uint64_t kArrivalStream = 0x61727269;  // "arri"

}  // namespace

Pacer::Pacer(const plan::Arrivals& arrivals, std::size_t total, std::optional<Nanos> duration)
    : arrivals_(arrivals), total_(total), duration_s_(duration ? to_seconds(*duration) : 0) {
  SCOVILLE_CHECK(arrivals_.rate.has_value(), "a pacer needs a rate");
}

double Pacer::rate_at(double progress) const {
  const double start = arrivals_.ramp_start, end = arrivals_.ramp_end;
  switch (arrivals_.ramp_up) {
    case plan::RampUp::linear:
      return start + (end - start) * progress;
    case plan::RampUp::exponential:
      return start * std::pow(end / start, progress);
    case plan::RampUp::none:
      break;
  }
  return *arrivals_.rate;
}

Nanos Pacer::next() {
  const std::uint64_t index = index_++;
  const double progress = total_ > 1        ? static_cast<double>(index) / static_cast<double>(total_ - 1)
                          : duration_s_ > 0 ? at_s_ / duration_s_
                                            : 0.0;
  const double mean_gap = 1.0 / rate_at(std::clamp(progress, 0.0, 1.0));
  if (arrivals_.is_constant) {
    if (index > 0) at_s_ += mean_gap;
  } else {
    Rng rng(arrivals_.seed, kArrivalStream, index);
    const double shape = arrivals_.burstiness;
    at_s_ += mean_gap * (shape == 1.0 ? rng.exponential() : rng.gamma(shape) / shape);
  }
  return from_seconds(at_s_);
}

}  // namespace scoville::load
