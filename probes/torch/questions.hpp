#pragma once

#include "probe/host.hpp"

namespace scoville::torch_probe {

// The questions of docs/formats/probe.md that this probe answers, one file each.
probe::Answer gemm(const probe::Question& question, probe::Speaker& speaker);
probe::Answer bandwidth(const probe::Question& question, probe::Speaker& speaker);
probe::Answer copy(const probe::Question& question, probe::Speaker& speaker);
probe::Answer launch(const probe::Question& question, probe::Speaker& speaker);
probe::Answer attention(const probe::Question& question, probe::Speaker& speaker);
probe::Answer capacity(const probe::Question& question, probe::Speaker& speaker);
probe::Answer dynamic_shapes(const probe::Question& question, probe::Speaker& speaker);

}  // namespace scoville::torch_probe
