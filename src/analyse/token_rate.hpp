#pragma once

#include <optional>
#include <vector>

#include "analyse/in_flight.hpp"

namespace scoville::analyse {

/// Output tokens per second in successive bins of a window, by the arrival of their events. What remains at the end is
/// a bin of its own, scaled by its length, from half a bin on; less joins the bin before it: the last tokens of a run
/// end the window, and a bin of a millisecond around them would be the peak of every run.
class TokenRates {
 public:
  /// A window without length has no bins.
  TokenRates(const Window& window, Nanos bin);
  void add(const event::RequestRecord& record);
  std::vector<double> per_second() const;

 private:
  Window window_;
  Nanos bin_;
  std::vector<double> tokens_;
};

/// The largest rate of any bin. Never below the mean over the window, which the bins divide.
std::optional<double> peak_rate(const std::vector<double>& rates);

}  // namespace scoville::analyse
