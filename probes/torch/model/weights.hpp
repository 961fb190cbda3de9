#pragma once

#include <memory>
#include <string>

#include "model/config.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::model {

/// Where a model's tensors come from, by the names they have in Hugging Face's files
/// ("model.layers.0.mlp.up_proj.weight").
class WeightSource {
 public:
  virtual ~WeightSource() = default;
  /// On the CPU, in the precision it is kept in (seeded: fp32). It may be a view into a mapped file: not to be written
  /// to.
  virtual at::Tensor get(const std::string& name, at::IntArrayRef shape) const = 0;
  /// "seeded" or "file".
  virtual std::string kind() const = 0;
  /// SHA-256 that names the weights before they take a dtype.
  virtual std::string sha256() const = 0;
};

/// Weights that follow from (seed, name, place of the element) alone: the same on any device, torch and thread count.
///
/// An element is the sum of the four 16-bit parts of one SplitMix64 value, centred: near enough to a normal
/// distribution, exact in fp32, and quick enough for a model of 8 billion. Standard deviation 0.02; 0.02 / √(2 ·
/// layers) of the two projections that write into the residual stream. Norms are 1, biases drawn like the rest.
std::unique_ptr<WeightSource> seeded_weights(const Config& config, std::uint64_t seed);

/// A folder with model.safetensors, or with model.safetensors.index.json and its parts. Every tensor of `config` is
/// looked up, its shape and dtype (F32, F16, BF16) checked. The error names the first that is missing.
Result<std::unique_ptr<WeightSource>> stored_weights(const std::string& folder, const Config& config);

/// One layer. Queries, keys and values are one matrix, so are gate and up: fewer and larger products.
/// What a model does not have is undefined.
struct LayerWeights {
  at::Tensor attention_norm;  ///< [hidden]
  at::Tensor qkv, qkv_bias;   ///< [(heads + 2 kv_heads) · head_dim, hidden]
  at::Tensor q_norm, k_norm;  ///< [head_dim]
  at::Tensor output;          ///< [hidden, heads · head_dim]
  at::Tensor mlp_norm;        ///< [hidden]
  at::Tensor gate_up;         ///< [2 · intermediate, hidden]
  at::Tensor down;            ///< [hidden, intermediate]

  LayerWeights to(const c10::Device& device, at::ScalarType dtype) const;
};

/// What is before and behind the layers.
struct OuterWeights {
  at::Tensor embedding;  ///< [vocab, hidden]
  at::Tensor norm;       ///< [hidden]
  at::Tensor head;       ///< [vocab, hidden]; the embedding itself where the two are tied
};

LayerWeights layer_weights(const WeightSource& source, const Config& config, std::int64_t layer,
                           const c10::Device& device, at::ScalarType dtype);
OuterWeights outer_weights(const WeightSource& source, const Config& config, const c10::Device& device,
                           at::ScalarType dtype);

}  // namespace scoville::torch_probe::model
