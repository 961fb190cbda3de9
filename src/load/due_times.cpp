#include "load/due_times.hpp"

#include "base/check.hpp"

namespace scoville::load {

DueTimes::DueTimes(const plan::Arrivals& arrivals, std::size_t total, std::optional<Nanos> duration,
                   const dataset::PromptSource& source)
    : source_(source), trace_speed_(arrivals.trace_speed) {
  if (!trace_speed_) pacer_.emplace(arrivals, total, duration);
}

std::optional<Nanos> DueTimes::of(std::uint64_t number) {
  if (pacer_) {
    SCOVILLE_CHECK(number >= drawn_ || drawn_ == number + 1, "due times are asked for in order");
    while (drawn_ <= number) {
      last_ = pacer_->next();
      ++drawn_;
    }
    return last_;
  }
  const std::optional<Nanos> recorded = source_.recorded_at(number);
  if (!recorded) return std::nullopt;
  return Nanos(static_cast<std::int64_t>(static_cast<double>(recorded->count()) / *trace_speed_));
}

}  // namespace scoville::load
