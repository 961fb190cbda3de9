#include "model/tensor_names.hpp"

namespace scoville::torch_probe::model {

std::string layer_tensor(std::int64_t layer, const std::string& name) {
  return "model.layers." + std::to_string(layer) + "." + name;
}

std::vector<NamedShape> tensor_shapes(const Config& config) {
  const std::int64_t h = config.hidden, q = config.heads * config.head_dim, kv = config.kv_heads * config.head_dim;
  std::vector<NamedShape> all{{kEmbeddingTensor, {config.vocab, h}}};
  for (std::int64_t i = 0; i < config.layers; ++i) {
    const auto add = [&](const char* name, std::vector<std::int64_t> shape) {
      all.push_back({layer_tensor(i, name), std::move(shape)});
    };
    add("input_layernorm.weight", {h});
    add("self_attn.q_proj.weight", {q, h});
    add("self_attn.k_proj.weight", {kv, h});
    add("self_attn.v_proj.weight", {kv, h});
    if (config.qkv_bias) {
      add("self_attn.q_proj.bias", {q});
      add("self_attn.k_proj.bias", {kv});
      add("self_attn.v_proj.bias", {kv});
    }
    if (config.qk_norm) {
      add("self_attn.q_norm.weight", {config.head_dim});
      add("self_attn.k_norm.weight", {config.head_dim});
    }
    add("self_attn.o_proj.weight", {h, q});
    add("post_attention_layernorm.weight", {h});
    add("mlp.gate_proj.weight", {config.intermediate, h});
    add("mlp.up_proj.weight", {config.intermediate, h});
    add("mlp.down_proj.weight", {h, config.intermediate});
  }
  all.push_back({kNormTensor, {h}});
  if (!config.tie_embeddings) all.push_back({kHeadTensor, {config.vocab, h}});
  return all;
}

}  // namespace scoville::torch_probe::model
