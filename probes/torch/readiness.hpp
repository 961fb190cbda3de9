#pragma once

#include "probe/host.hpp"

namespace scoville::torch_probe {

/// Does the device come up, and is what it computes read back right? A row a step, in their order; each is asked
/// whatever became of the one before, as far as it can be.
probe::Answer answer_readiness(const probe::Question& question, probe::Speaker& speaker);

}  // namespace scoville::torch_probe
