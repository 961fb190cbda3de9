#pragma once

#include <cstddef>
#include <optional>

#include "analyse/latencies.hpp"

namespace scoville::analyse {

/// How far our arrival stamps lie behind the emit times that a scripted endpoint put into its events: the instrument's
/// own error, the loopback path included. Only where both clocks are one: same machine.
struct EmitError {
  std::size_t n = 0;
  std::optional<Nanos> p50, p99, largest;
  std::optional<double> icl_error_sd_ns;  ///< sd of (our gap − the emitted gap), pooled
};

/// Empty where no event carried an emit time.
std::optional<EmitError> emit_error(const Records& records);

}  // namespace scoville::analyse
