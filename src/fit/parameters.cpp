#include "fit/parameters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace scoville::fit {
namespace {

/// Beginnings of names, as config.json's `architectures` and GGUF's `general.architecture` spell them, lower case.
constexpr std::array<std::string_view, 30> kFamilies{
    "llamafor",    "mistralfor",    "mixtralfor",    "qwen2for",     "qwen2moefor",      "qwen3for",
    "qwen3moefor", "gemmafor",      "gemma2for",     "gemma3for",    "gemma3textfor",    "phi3for",
    "deepseekfor", "deepseekv2for", "deepseekv3for", "internlm2for", "internlm3for",     "olmo2for",
    "glm4for",     "glmfor",        "glm4moefor",    "minicpmfor",   "smollm3for",       "gptossfor",
    "seedossfor",  "exaone4for",    "ernie4_5for",   "baichuanfor",  "graniteforcausal", "kimik2for"};
constexpr std::array<std::string_view, 14> kGgufNames{"llama", "qwen2",     "qwen2moe", "qwen3",  "qwen3moe",
                                                      "gemma", "gemma2",    "gemma3",   "phi3",   "deepseek2",
                                                      "olmo2", "internlm2", "mistral",  "smollm3"};

double as_double(std::uint64_t n) { return static_cast<double>(n); }

/// Query, key, value and output projections of one layer.
std::optional<double> attention_of(const ModelShape& shape) {
  if (!shape.hidden || !shape.heads) return std::nullopt;
  const double hidden = as_double(*shape.hidden), heads = as_double(*shape.heads);
  if (shape.latent) {
    const LatentAttention& latent = *shape.latent;
    if (!latent.nope_dim || !latent.v_dim) return std::nullopt;
    const double q_size = heads * as_double(latent.nope_dim + latent.rope_dim), rank = as_double(latent.q_rank);
    const double query = latent.q_rank ? hidden * rank + rank * q_size : hidden * q_size;
    const double down = hidden * as_double(latent.kv_rank + latent.rope_dim);
    const double up = as_double(latent.kv_rank) * heads * as_double(latent.nope_dim + latent.v_dim);
    return query + down + up + heads * as_double(latent.v_dim) * hidden;
  }
  if (!shape.kv_heads || !shape.head_dim) return std::nullopt;
  const double dim = as_double(*shape.head_dim);
  return 2 * hidden * heads * dim + 2 * hidden * as_double(*shape.kv_heads) * dim;
}

}  // namespace

bool is_built_like_llama(const std::string& architecture) {
  std::string name = architecture;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(kFamilies.begin(), kFamilies.end(), [&](auto each) { return name.starts_with(each); }) ||
         std::find(kGgufNames.begin(), kGgufNames.end(), name) != kGgufNames.end();
}

std::optional<Parameters> parameters_of(const ModelShape& shape) {
  const std::optional<double> attention = attention_of(shape);
  if (!attention || !shape.layers || !shape.vocabulary || shape.linear_layers > 0) return std::nullopt;
  if (!is_built_like_llama(shape.architecture)) return std::nullopt;
  const double hidden = as_double(*shape.hidden), layers = as_double(*shape.layers);
  Parameters out;
  out.ties = shape.ties_embeddings.value_or(false);
  out.embedding = out.head = as_double(*shape.vocabulary) * hidden;
  out.body = layers * (*attention + 2 * hidden) + hidden;  // two norms a layer, one at the end
  double dense_layers = layers;
  if (shape.experts) {
    const Experts& experts = *shape.experts;
    if (!experts.size || experts.dense_layers > *shape.layers) return std::nullopt;
    dense_layers = as_double(experts.dense_layers);
    out.expert_layers = layers - dense_layers;
    out.expert_count = as_double(experts.count);
    out.experts_per_token = as_double(experts.per_token);
    out.expert = 3 * hidden * as_double(experts.size);
    out.body += out.expert_layers * (3 * hidden * as_double(experts.shared_size) + hidden * out.expert_count);
  }
  if (dense_layers > 0) {
    if (!shape.inner_size) return std::nullopt;
    out.body += dense_layers * 3 * hidden * as_double(*shape.inner_size);
  }
  return out;
}

}  // namespace scoville::fit
