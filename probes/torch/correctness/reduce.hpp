#pragma once

#include <string>

#include "model/transformer.hpp"

namespace scoville::torch_probe::correctness {

/// Weights of the layers' matrices in fewer bits, one scale a row, put back into the model's dtype: what a kernel that
/// multiplies reduced weights computes, but for its own rounding. Embedding, head and norms stay.
///
/// `name`: "int8" (−127 … 127) or "fp8" (e4m3). `why_not` gets why there is none; the edit is empty then.
model::Transformer::Edit reduced_weights(const std::string& name, std::string& why_not);

/// One matrix [rows, columns] on the host in fp32. Each row is scaled by its largest absolute value.
at::Tensor int8_and_back(const at::Tensor& matrix);

}  // namespace scoville::torch_probe::correctness
