#include "analyse/in_flight.hpp"

#include <algorithm>

namespace scoville::analyse {

InFlight::InFlight(const Records& records) {
  std::vector<std::pair<Instant, int>> changes;
  changes.reserve(records.size() * 2);
  for (const event::RequestRecord* record : records) {
    const Moment end = record->end ? record->end : record->failed_at;
    if (!record->written || !end) continue;
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
    peak_ = std::max(peak_, level);
  }
}

double InFlight::mean(const Window& window) const {
  if (window.length() <= Nanos::zero()) return 0;
  double area = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Instant from = std::max(steps_[i].at, window.from);
    const Instant to = std::min(i + 1 < steps_.size() ? steps_[i + 1].at : window.to, window.to);
    if (to > from) area += static_cast<double>(steps_[i].level) * to_seconds(to - from);
  }
  return area / to_seconds(window.length());
}

std::optional<Window> InFlight::at_least(double target) const {
  const auto reached = [&](const Step& step) { return static_cast<double>(step.level) >= target; };
  const auto first = std::find_if(steps_.begin(), steps_.end(), reached);
  if (first == steps_.end()) return std::nullopt;
  const auto last = std::find_if(steps_.rbegin(), steps_.rend(), reached);
  const auto behind = last.base();  // the step that ends it
  return Window{first->at, behind == steps_.end() ? last->at : behind->at};
}

}  // namespace scoville::analyse
