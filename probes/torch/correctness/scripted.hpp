#pragma once

#include "correctness/tensor_file.hpp"
#include "numerics/baseline.hpp"
#include "probe/host.hpp"

namespace scoville::torch_probe::correctness {

/// A TorchScript file over inputs from a safetensors file (`torchscript`, `inputs`): each tensor that its graph
/// computes, after freezing and inlining, is a part, named by its place and its operator ("12.aten::linear"). Inputs
/// are taken by the names of forward()'s arguments, else in the order of their names.
///
/// There is no isolated pass: what a node takes, the graph does not let be replaced.
void run_scripted(const probe::Question& question, TensorFile& file, numerics::Manifest& manifest);

}  // namespace scoville::torch_probe::correctness
