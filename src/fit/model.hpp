#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "event/fingerprint.hpp"

namespace scoville::fit {

/// Attention that keeps one compressed vector a token instead of keys and values (MLA: DeepSeek-V2 and later).
struct LatentAttention {
  std::uint64_t kv_rank = 0, rope_dim = 0;            ///< what is kept a token and layer: their sum
  std::uint64_t q_rank = 0, nope_dim = 0, v_dim = 0;  ///< 0: none, or not said
};

struct Experts {
  std::uint64_t count = 0, per_token = 0;
  std::uint64_t size = 0;          ///< inner size of one expert
  std::uint64_t shared_size = 0;   ///< of those that every token passes through, together
  std::uint64_t dense_layers = 0;  ///< the first so many layers have no experts
};

enum class WeightsFrom { nothing, files, index, shape };
std::string_view name_of(WeightsFrom from);

/// How weights are stored and what is computed in.
struct WeightFormat {
  std::string name;             ///< "bf16", "fp8", "awq", "Q4_K_M"
  std::optional<double> bits;   ///< a weight of a linear layer, scales included
  std::string compute;          ///< "bf16", "fp16", "fp8", "int8", "fp4"
  bool is_weight_only = false;  ///< stored smaller than it is computed in
};

/// What decides memory and work of a model. Empty: its files do not say.
struct ModelShape {
  std::string name, architecture, dtype;
  std::string quantisation;  ///< "none", "fp8", "awq", "gptq", "modelslim", "Q4_K_M"; empty: not known
  WeightFormat format;
  std::optional<std::uint64_t> layers, hidden, heads, kv_heads, head_dim, vocabulary, inner_size;
  std::optional<bool> ties_embeddings;
  std::optional<LatentAttention> latent;
  std::optional<Experts> experts;
  std::uint64_t window = 0, window_layers = 0;  ///< layers that look back only so many tokens
  std::uint64_t linear_layers = 0;              ///< layers whose state does not grow
  std::optional<std::uint64_t> context_trained;

  std::optional<double> weight_bytes;
  WeightsFrom weights_from = WeightsFrom::nothing;
  std::optional<double> parameters;  ///< counted in the files, or by the formula of parameters.hpp

  bool has_experts() const { return experts.has_value(); }
};

/// What a fingerprint says of the model: `model.*`, with its weights where their files were read.
ModelShape shape_of(const event::Fingerprint& fingerprint);

/// A folder (config.json alone will do) or a GGUF file. Reads headers and sizes, never the weights. Errors: no such
/// path, nothing there that describes a model, or a file that cannot be read; one line without the path.
Result<ModelShape> read_shape(const std::string& path);

/// The format with this name: bf16, fp16, fp32, fp8, int8, int4 (weights only), fp4. Empty for another.
std::optional<WeightFormat> format_named(const std::string& name);

}  // namespace scoville::fit
