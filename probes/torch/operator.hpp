#pragma once

#include "probe/host.hpp"

namespace scoville::torch_probe {

/// `operator` (docs/formats/probe.md): one operator of the dispatcher, called boxed from data, in any number of cases.
probe::Answer answer_operator(const probe::Question& question, probe::Speaker& speaker);

}  // namespace scoville::torch_probe
