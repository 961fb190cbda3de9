#pragma once

#include <functional>
#include <optional>
#include <string>

#include "probe/host.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::correctness {

/// A fault made on purpose in one layer, for tests: `plant: {"layer": 2, "kind": "bf16" | "wrong" | "element"}`.
struct Plant {
  std::int64_t layer = 0;
  std::string kind;
  std::string words() const { return kind + " in layer." + std::to_string(layer); }
};

/// Throws std::invalid_argument where it is not as above.
std::optional<Plant> plant_in(const probe::Question& question);

using LayerCall = std::function<at::Tensor(const at::Tensor& hidden)>;
/// bf16: input and output rounded to it. wrong: what the layer adds is too large by a tenth. element: one value of the
/// output is off by the size of the largest.
at::Tensor with_fault(const Plant& plant, const at::Tensor& hidden, const LayerCall& layer);

}  // namespace scoville::torch_probe::correctness
