#pragma once

#include <optional>
#include <vector>

#include "analyse/in_flight.hpp"

namespace scoville::analyse {

/// Output tokens per second in successive bins of a window, by the arrival of their events. What remains at the end is
/// a bin of its own, scaled by its length, from half a bin on; less joins the bin before it: the last tokens of a run
/// end the window, and a bin of a millisecond around them would be the peak of every run.
std::vector<double> token_rates(const Records& records, const Window& window, Nanos bin);

/// The largest rate of any bin. Never below the mean over the window, which the bins divide.
std::optional<double> peak_rate(const std::vector<double>& rates);

}  // namespace scoville::analyse
