#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config.hpp"

namespace scoville::torch_probe::model {

inline constexpr const char* kEmbeddingTensor = "model.embed_tokens.weight";
inline constexpr const char* kNormTensor = "model.norm.weight";
inline constexpr const char* kHeadTensor = "lm_head.weight";

/// "model.layers.3.mlp.up_proj.weight" of (3, "mlp.up_proj.weight").
std::string layer_tensor(std::int64_t layer, const std::string& name);

struct NamedShape {
  std::string name;
  std::vector<std::int64_t> shape;
};

/// Every tensor that a model of this shape has, as Hugging Face's files name them.
std::vector<NamedShape> tensor_shapes(const Config& config);

}  // namespace scoville::torch_probe::model
