#pragma once

#include "model/config.hpp"
#include "model/kv_cache.hpp"
#include "model/weights.hpp"
#include "shim.hpp"

namespace scoville::torch_probe::model {

/// What all layers share in one forward pass over [rows, tokens]: rotations, mask, places in the cache.
struct Step {
  at::Tensor cos, sin;  ///< [rows, 1, tokens, head_dim], in the model's dtype
  at::Tensor
      mask;  ///< [rows, 1, tokens, keys]: 0 where a query sees a key, else the lowest number; undefined: sees all
  KvRows kv;
  std::int64_t keys = 0;                           ///< places of the cache that are looked at
  at::Tensor slot_index, head_index, place_index;  ///< where new keys and values go
};

/// `positions`: [rows, tokens], int64, on the CPU. A token sees those of its row at its own and lower positions.
Step prepare_step(const Config& config, const at::Tensor& positions, const c10::Device& device, at::ScalarType dtype,
                  const KvRows& kv = {});

/// x / √(mean(x²) + ε) · weight over the last dimension, its mean in fp32 (fp64 of fp64).
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps);

/// Rotates [rows, heads, tokens, head_dim]: element i of the first half with i of the second (Hugging Face's order).
at::Tensor rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin);

/// Inverse frequencies, [head_dim / 2], fp64, after Llama 3's scaling where there is one.
at::Tensor rope_frequencies(const Config& config);

/// One layer over hidden [rows, tokens, hidden]; a pure function but for the cache.
at::Tensor block(const Config& config, const LayerWeights& weights, std::int64_t layer, const at::Tensor& hidden,
                 const Step& step);
/// Its two halves, each without the residual: of the normed input.
at::Tensor attention(const Config& config, const LayerWeights& weights, std::int64_t layer, const at::Tensor& normed,
                     const Step& step);
at::Tensor mlp(const LayerWeights& weights, const at::Tensor& normed);

}  // namespace scoville::torch_probe::model
