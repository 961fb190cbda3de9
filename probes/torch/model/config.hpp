#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::torch_probe::model {

/// Llama 3's stretching of the slow rotations (config.json: rope_scaling of type "llama3").
struct RopeScaling {
  double factor = 8, low_freq_factor = 1, high_freq_factor = 4;
  std::int64_t original_positions = 8192;
};

/// The shape of a decoder-only transformer of the LLaMA family. Knows no torch.
struct Config {
  std::string name;
  std::int64_t vocab = 0, hidden = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0, intermediate = 0;
  double rope_theta = 10000, norm_eps = 1e-5;
  bool tie_embeddings = false;
  bool qkv_bias = false;  ///< Qwen2
  bool qk_norm = false;   ///< Qwen3
  std::int64_t max_positions = 2048;
  std::optional<RopeScaling> rope_scaling;
  std::vector<std::int64_t> eos;  ///< tokens that end an answer
  std::optional<std::int64_t> bos;

  std::int64_t parameters() const;
  /// Rows of the joint projection of queries, keys and values.
  std::int64_t qkv_rows() const { return (heads + 2 * kv_heads) * head_dim; }
};

/// "tiny" (1 M parameters, for tests), "small" (19 M), "135m", "1b", "3b", "8b": the shapes of known models.
Result<Config> preset(std::string_view name);
std::vector<std::string_view> preset_names();

/// From the text of a config.json. Model types llama, qwen2 and qwen3; the error says what of it is not loaded:
/// experts, sliding windows, quantised weights, other activations, other kinds of rope scaling.
Result<Config> config_from_json(std::string_view text, const std::string& name);
/// Of a folder with a config.json.
Result<Config> read_config(const std::string& folder);

}  // namespace scoville::torch_probe::model
