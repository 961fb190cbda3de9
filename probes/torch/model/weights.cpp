#include "model/weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "base/rng.hpp"
#include "base/sha256.hpp"
#include "model/tensor_names.hpp"

namespace scoville::torch_probe::model {
namespace {

constexpr double kDeviation = 0.02;
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
/// Elements that one thread makes at a time.
constexpr std::int64_t kGrain = 1 << 16;

constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Sum of the four 16-bit parts less its mean: standard deviation 65536 / √3, but for a part in 10^9.
float centred(std::uint64_t bits) {
  const auto sum =
      static_cast<std::int32_t>((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
  return static_cast<float>(sum - 2 * 65535);
}

void fill(float* to, std::int64_t count, std::uint64_t key, double deviation) {
  const auto scale = static_cast<float>(deviation * std::sqrt(3.0) / 65536.0);
  at::parallel_for(0, count, kGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      to[i] = centred(mixed(key + static_cast<std::uint64_t>(i + 1) * kGolden)) * scale;
    }
  });
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && std::string_view(text).substr(text.size() - end.size()) == end;
}

class Seeded final : public WeightSource {
 public:
  Seeded(const Config& config, std::uint64_t seed)
      : seed_(seed), into_stream_(kDeviation / std::sqrt(2.0 * static_cast<double>(config.layers))) {
    words_ = fmt::format("seeded 1 {}", seed);
    for (const NamedShape& each : tensor_shapes(config)) {
      words_ += fmt::format(" {} {}", each.name, fmt::join(each.shape, "x"));
    }
  }

  at::Tensor get(const std::string& name, at::IntArrayRef shape) const override {
    if (ends_with(name, "norm.weight")) return at::ones(shape, at::kFloat);
    const bool writes_stream = ends_with(name, "o_proj.weight") || ends_with(name, "down_proj.weight");
    at::Tensor made = at::empty(shape, at::kFloat);
    fill(made.data_ptr<float>(), made.numel(), mixed(hash_bytes(name) ^ mixed(seed_ + kGolden)),
         writes_stream ? into_stream_ : kDeviation);
    return made;
  }
  std::string kind() const override { return "seeded"; }
  std::string sha256() const override { return scoville::sha256(words_); }

 private:
  std::uint64_t seed_;
  double into_stream_;
  std::string words_;
};

at::Tensor placed(const at::Tensor& made, const c10::Device& device, at::ScalarType dtype) {
  return made.to(dtype).to(device).contiguous();
}

at::Tensor moved(const at::Tensor& tensor, const c10::Device& device, at::ScalarType dtype) {
  return tensor.defined() ? placed(tensor, device, dtype) : tensor;
}

}  // namespace

std::unique_ptr<WeightSource> seeded_weights(const Config& config, std::uint64_t seed) {
  return std::make_unique<Seeded>(config, seed);
}

LayerWeights LayerWeights::to(const c10::Device& device, at::ScalarType dtype) const {
  const auto move = [&](const at::Tensor& tensor) { return moved(tensor, device, dtype); };
  return {move(attention_norm), move(qkv),      move(qkv_bias), move(q_norm), move(k_norm),
          move(output),         move(mlp_norm), move(gate_up),  move(down)};
}

LayerWeights layer_weights(const WeightSource& source, const Config& config, std::int64_t layer,
                           const c10::Device& device, at::ScalarType dtype) {
  const std::int64_t h = config.hidden, q = config.heads * config.head_dim, kv = config.kv_heads * config.head_dim;
  const auto get = [&](const char* name, std::vector<std::int64_t> shape) {
    return placed(source.get(layer_tensor(layer, name), shape), device, dtype);
  };
  LayerWeights made;
  made.attention_norm = get("input_layernorm.weight", {h});
  made.qkv = at::cat({get("self_attn.q_proj.weight", {q, h}), get("self_attn.k_proj.weight", {kv, h}),
                      get("self_attn.v_proj.weight", {kv, h})});
  if (config.qkv_bias) {
    made.qkv_bias = at::cat(
        {get("self_attn.q_proj.bias", {q}), get("self_attn.k_proj.bias", {kv}), get("self_attn.v_proj.bias", {kv})});
  }
  if (config.qk_norm) {
    made.q_norm = get("self_attn.q_norm.weight", {config.head_dim});
    made.k_norm = get("self_attn.k_norm.weight", {config.head_dim});
  }
  made.output = get("self_attn.o_proj.weight", {h, q});
  made.mlp_norm = get("post_attention_layernorm.weight", {h});
  made.gate_up = at::cat(
      {get("mlp.gate_proj.weight", {config.intermediate, h}), get("mlp.up_proj.weight", {config.intermediate, h})});
  made.down = get("mlp.down_proj.weight", {h, config.intermediate});
  return made;
}

OuterWeights outer_weights(const WeightSource& source, const Config& config, const c10::Device& device,
                           at::ScalarType dtype) {
  const auto get = [&](const char* name, std::vector<std::int64_t> shape) {
    return placed(source.get(name, shape), device, dtype);
  };
  OuterWeights made;
  made.embedding = get(kEmbeddingTensor, {config.vocab, config.hidden});
  made.norm = get(kNormTensor, {config.hidden});
  made.head = config.tie_embeddings ? made.embedding : get(kHeadTensor, {config.vocab, config.hidden});
  return made;
}

}  // namespace scoville::torch_probe::model
