#pragma once

#include <exception>

#include "probe/reason.hpp"

namespace scoville::torch_probe {

/// What torch threw, as a reason: by its class where that says enough, else by its words.
probe::Fault explain(const std::exception& thrown);

}  // namespace scoville::torch_probe
