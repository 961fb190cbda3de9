#pragma once

#include "probe/host.hpp"

namespace scoville::torch_probe {

/// The question `correctness` of docs/formats/probe.md: what the reference model, or a TorchScript one, computes on the
/// device, written into a folder.
probe::Answer answer_correctness(const probe::Question& question, probe::Speaker& speaker);

}  // namespace scoville::torch_probe
