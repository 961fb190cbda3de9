#pragma once

#include <optional>
#include <vector>

#include "analyse/in_flight.hpp"

namespace scoville::analyse {

/// Output tokens per second in successive bins of a window, by the arrival of their events. A last bin shorter than the
/// others is scaled by its own length.
std::vector<double> token_rates(const Records& records, const Window& window, Nanos bin);

/// The largest rate of any bin. Never below the mean over the window.
std::optional<double> peak_rate(const std::vector<double>& rates);

}  // namespace scoville::analyse
