#include "analyse/in_flight.hpp"

#include <algorithm>

namespace scoville::analyse {

InFlight::InFlight(const Records& records) {
  std::vector<std::pair<Instant, int>> changes;
  changes.reserve(records.size() * 2);
  for (const event::RequestRecord* record : records) {
    const Moment end = record->end ? record->end : record->failed_at;
    if (!record->written || !end || *end <= *record->written) continue;
    changes.emplace_back(*record->written, 1);
    changes.emplace_back(*end, -1);
  }
  // At the same instant an end comes before a start: a slot handed on is one slot.
  std::sort(changes.begin(), changes.end());
  std::size_t level = 0;
  for (const auto& [at, change] : changes) {
    level = change > 0 ? level + 1 : level - 1;
    if (!steps_.empty() && steps_.back().at == at) {
      steps_.back().level = level;
    } else {
      steps_.push_back({at, level});
    }
  }
}

Window InFlight::part(std::size_t i, const Window& window) const {
  const Instant until = i + 1 < steps_.size() ? steps_[i + 1].at : window.to;
  return {std::max(steps_[i].at, window.from), std::min(until, window.to)};
}

std::size_t InFlight::peak(const Window& window) const {
  std::size_t most = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (part(i, window).length() > Nanos::zero()) most = std::max(most, steps_[i].level);
  }
  return most;
}

double InFlight::mean(const Window& window) const {
  if (window.length() <= Nanos::zero()) return 0;
  double area = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Nanos length = part(i, window).length();
    if (length > Nanos::zero()) area += static_cast<double>(steps_[i].level) * to_seconds(length);
  }
  return area / to_seconds(window.length());
}

std::optional<Window> InFlight::at_least(double target, const Window& window) const {
  std::optional<Window> found;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Window here = part(i, window);
    if (here.length() <= Nanos::zero() || static_cast<double>(steps_[i].level) < target) continue;
    found = Window{found ? found->from : here.from, here.to};
  }
  if (found && mean(*found) < target) return std::nullopt;
  return found;
}

}  // namespace scoville::analyse
