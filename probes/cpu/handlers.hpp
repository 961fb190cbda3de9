#pragma once

#include "probe/host.hpp"

namespace scoville::cpu_probe {

/// One question each (docs/formats/probe.md), one file each.
json::object describe();
probe::Answer gemm(const probe::Question& question, probe::Speaker& speaker);
probe::Answer bandwidth(const probe::Question& question, probe::Speaker& speaker);
probe::Answer latency(const probe::Question& question, probe::Speaker& speaker);
probe::Answer launch(const probe::Question& question, probe::Speaker& speaker);
probe::Answer capacity(const probe::Question& question, probe::Speaker& speaker);
probe::Answer readiness(const probe::Question& question, probe::Speaker& speaker);

}  // namespace scoville::cpu_probe
