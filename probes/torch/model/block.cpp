#include "model/block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scoville::torch_probe::model {
namespace {

/// The looked-at part of the cache grows in steps: libraries that prepare a kernel for each shape meet few.
constexpr std::int64_t kKeyStep = 64;

/// Precision of norms and softmax.
at::ScalarType wide(at::ScalarType dtype) { return dtype == at::kDouble ? at::kDouble : at::kFloat; }

void place_in_cache(const Config& config, const at::Tensor& positions, const c10::Device& device, Step& step) {
  const auto whole = at::TensorOptions(at::kLong);
  const std::int64_t first = step.kv.first, rows = positions.size(0);
  step.slot_index = at::arange(first, first + rows, whole).view({rows, 1, 1}).to(device);
  step.head_index = at::arange(config.kv_heads, whole).view({1, config.kv_heads, 1}).to(device);
  step.place_index = positions.unsqueeze(1).to(device);
}

at::Tensor mask_of(const at::Tensor& positions, const at::Tensor& key_positions, at::ScalarType dtype) {
  const at::Tensor hidden = key_positions.unsqueeze(-2) > positions.unsqueeze(-1);
  const at::Tensor zero = at::zeros(hidden.sizes(), at::TensorOptions(wide(dtype)));
  return zero.masked_fill(hidden, -std::numeric_limits<float>::infinity()).unsqueeze(1);
}

/// Queries see their group's keys: [rows · kv_heads, group · tokens, keys].
at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask) {
  const std::int64_t rows = q.size(0), heads = q.size(1), tokens = q.size(2), d = q.size(3);
  const std::int64_t kv_heads = k.size(1), keys = k.size(2), group = heads / kv_heads;
  const at::Tensor queries = q.reshape({rows, kv_heads, group * tokens, d});
  const double scale = 1.0 / std::sqrt(static_cast<double>(d));
  at::Tensor scores = at::matmul(queries * scale, k.transpose(-2, -1)).to(wide(q.scalar_type()));
  if (mask.defined()) scores = (scores.view({rows, heads, tokens, keys}) + mask).view_as(scores);
  const at::Tensor weights = at::softmax(scores, -1).to(v.scalar_type());
  return at::matmul(weights, v).view({rows, heads, tokens, d});
}

/// [rows, tokens, heads, head_dim] of a joint projection → [rows, heads, tokens, head_dim].
at::Tensor heads_of(const at::Tensor& joint, std::int64_t first, std::int64_t heads) {
  return joint.narrow(2, first, heads).transpose(1, 2);
}

}  // namespace

at::Tensor rope_frequencies(const Config& config) {
  const auto options = at::TensorOptions(at::kDouble);
  at::Tensor made = at::empty({config.head_dim / 2}, options);
  auto* const to = made.data_ptr<double>();
  for (std::int64_t i = 0; i < config.head_dim / 2; ++i) {
    double frequency =
        std::pow(config.rope_theta, -2.0 * static_cast<double>(i) / static_cast<double>(config.head_dim));
    if (const auto& scaling = config.rope_scaling) {
      const double turns = static_cast<double>(scaling->original_positions) * frequency / (2 * M_PI);
      const double smooth = std::clamp(
          (turns - scaling->low_freq_factor) / (scaling->high_freq_factor - scaling->low_freq_factor), 0.0, 1.0);
      frequency = (1 - smooth) * frequency / scaling->factor + smooth * frequency;
    }
    to[i] = frequency;
  }
  return made;
}

Step prepare_step(const Config& config, const at::Tensor& positions, const c10::Device& device, at::ScalarType dtype,
                  const KvRows& kv) {
  Step step;
  const at::Tensor angles = positions.to(at::kDouble).unsqueeze(-1) * rope_frequencies(config);
  const at::Tensor both = at::cat({angles, angles}, -1).unsqueeze(1);
  step.cos = both.cos().to(dtype).to(device);
  step.sin = both.sin().to(dtype).to(device);
  step.kv = kv;
  if (!kv.cache) {
    step.keys = positions.size(1);
    step.mask = mask_of(positions, positions, dtype).to(device);
    return step;
  }
  const std::int64_t last = positions.max().item<std::int64_t>() + 1;
  step.keys = std::min(kv.cache->context(), (last + kKeyStep - 1) / kKeyStep * kKeyStep);
  step.mask = mask_of(positions, at::arange(step.keys, at::TensorOptions(at::kLong)), dtype).to(device);
  place_in_cache(config, positions, device, step);
  return step;
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) {
  const at::Tensor high = x.to(wide(x.scalar_type()));
  const at::Tensor scale = at::rsqrt(high.square().mean(-1, true) + eps);
  return (high * scale).to(x.scalar_type()) * weight;
}

at::Tensor rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
  const std::int64_t half = x.size(-1) / 2;
  const at::Tensor turned = at::cat({-x.narrow(-1, half, half), x.narrow(-1, 0, half)}, -1);
  return x * cos + turned * sin;
}

at::Tensor attention(const Config& config, const LayerWeights& weights, std::int64_t layer, const at::Tensor& normed,
                     const Step& step) {
  const std::int64_t rows = normed.size(0), tokens = normed.size(1);
  const Optional<at::Tensor> bias = weights.qkv_bias.defined() ? Optional<at::Tensor>(weights.qkv_bias) : kNone;
  const at::Tensor joint =
      at::linear(normed, weights.qkv, bias).view({rows, tokens, config.heads + 2 * config.kv_heads, config.head_dim});
  at::Tensor q = heads_of(joint, 0, config.heads);
  at::Tensor k = heads_of(joint, config.heads, config.kv_heads);
  at::Tensor v = heads_of(joint, config.heads + config.kv_heads, config.kv_heads);
  if (config.qk_norm) {
    q = rms_norm(q, weights.q_norm, config.norm_eps);
    k = rms_norm(k, weights.k_norm, config.norm_eps);
  }
  q = rotate(q, step.cos, step.sin);
  k = rotate(k, step.cos, step.sin);
  if (step.kv.cache) {
    at::Tensor keys = step.kv.cache->keys(layer), values = step.kv.cache->values(layer);
    keys.index_put_({step.slot_index, step.head_index, step.place_index}, k);
    values.index_put_({step.slot_index, step.head_index, step.place_index}, v);
    k = keys.narrow(0, step.kv.first, rows).narrow(2, 0, step.keys);
    v = values.narrow(0, step.kv.first, rows).narrow(2, 0, step.keys);
  }
  const at::Tensor seen = attend(q, k, v, step.mask);
  return at::linear(seen.transpose(1, 2).reshape({rows, tokens, config.heads * config.head_dim}), weights.output);
}

at::Tensor mlp(const LayerWeights& weights, const at::Tensor& normed) {
  const at::Tensor both = at::linear(normed, weights.gate_up);
  const std::int64_t half = both.size(-1) / 2;
  return at::linear(at::silu(both.narrow(-1, 0, half)) * both.narrow(-1, half, half), weights.down);
}

at::Tensor block(const Config& config, const LayerWeights& weights, std::int64_t layer, const at::Tensor& hidden,
                 const Step& step) {
  const at::Tensor mixed =
      hidden + attention(config, weights, layer, rms_norm(hidden, weights.attention_norm, config.norm_eps), step);
  return mixed + mlp(weights, rms_norm(mixed, weights.mlp_norm, config.norm_eps));
}

}  // namespace scoville::torch_probe::model
