#include "fit/model.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "fit/parameters.hpp"

namespace scoville::fit {
namespace {

using event::Fingerprint;

std::optional<double> number_of(const Fingerprint& in, const char* key) {
  const event::FingerprintField* const field = in.find(key);
  if (!field || field->status != event::FieldStatus::ok || !field->value.is_number()) return std::nullopt;
  const double number = field->value.to_number<double>();
  return number >= 0 ? std::optional(number) : std::nullopt;
}

/// A size: 0 says nothing.
std::optional<std::uint64_t> size_of(const Fingerprint& in, const char* key) {
  const std::optional<double> number = number_of(in, key);
  if (!number || *number < 1 || *number > 1e15) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::optional<bool> flag_of(const Fingerprint& in, const char* key) {
  const std::string text = in.text(key);
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// What a linear layer multiplies in when nothing is quantised.
std::string compute_of(const std::string& dtype) {
  const std::string name = lower(dtype);
  if (name.find("bfloat16") != std::string::npos || name == "bf16") return "bf16";
  if (name.find("float8") != std::string::npos) return "fp8";
  if (name.find("float32") != std::string::npos || name == "f32") return "bf16";  // engines load it in 16 bits
  return "fp16";
}

constexpr double kGroupOf128 = (16.0 + 4.0) / 128;  ///< a scale of 16 bits and a zero point for each 128 weights

/// Methods that store both weights and activations smaller: the scheme names the width.
std::optional<WeightFormat> both_sides(const std::string& method, const std::string& scheme,
                                       std::optional<double> bits) {
  const bool is_open = method == "modelslim" || method == "ascend" || method == "modelopt" ||
                       method == "compressed-tensors" || method == "quark" || method == "w8a8_int8";
  if (method == "fp8" || method == "fbgemm_fp8" || method == "w8a8_fp8") return WeightFormat{method, 8, "fp8"};
  if (!is_open) return std::nullopt;
  if (scheme.find("nvfp4") != std::string::npos) return WeightFormat{"nvfp4", 4.5, "fp4"};
  if (scheme.find("fp8") != std::string::npos || scheme.find("float-quantized") != std::string::npos)
    return WeightFormat{"fp8", 8, "fp8"};
  if (scheme.find("w4a8") != std::string::npos) return WeightFormat{"w4a8", 4 + kGroupOf128, "int8"};
  if (scheme.find("w8a8") != std::string::npos || method == "w8a8_int8" ||
      (scheme.find("int-quantized") != std::string::npos && bits == 8))
    return WeightFormat{"w8a8", 8, "int8"};
  return std::nullopt;
}

WeightFormat format_of(const ModelShape& shape, const std::string& scheme, std::optional<double> bits) {
  const std::string compute = compute_of(shape.dtype);
  const std::string method = lower(shape.quantisation);
  if (method.empty() || method == "none") {
    if (shape.dtype.empty()) return {"", std::nullopt, "bf16"};
    const bool is_single = lower(shape.dtype).find("32") != std::string::npos;
    return {is_single ? "fp32" : compute, is_single ? 32.0 : compute == "fp8" ? 8.0 : 16.0, compute};
  }
  if (method == "f32" || method == "f16" || method == "bf16")
    return {method, method == "f32" ? 32.0 : 16.0, method == "bf16" ? "bf16" : "fp16"};
  if (std::optional<WeightFormat> format = both_sides(method, lower(scheme), bits)) return *format;
  if (method == "mxfp4") return {method, 4.25, compute, true};
  WeightFormat out{shape.quantisation, std::nullopt, compute, true};
  if (bits) out.bits = *bits + (*bits < 8 ? kGroupOf128 : 0);
  return out;
}

void read_attention(const Fingerprint& in, ModelShape& out) {
  out.heads = size_of(in, "model.heads");
  out.kv_heads = size_of(in, "model.kv_heads");
  out.head_dim = size_of(in, "model.head_dim");
  if (!out.kv_heads || (out.heads && *out.kv_heads > *out.heads)) out.kv_heads = out.heads;
  if (!out.head_dim && out.heads && out.hidden) out.head_dim = *out.hidden / *out.heads;
  if (const std::optional<std::uint64_t> rank = size_of(in, "model.kv_lora_rank")) {
    LatentAttention& latent = out.latent.emplace();
    latent.kv_rank = *rank;
    latent.rope_dim = size_of(in, "model.qk_rope_head_dim").value_or(0);
    latent.q_rank = size_of(in, "model.q_lora_rank").value_or(0);
    latent.nope_dim = size_of(in, "model.qk_nope_head_dim").value_or(0);
    latent.v_dim = size_of(in, "model.v_head_dim").value_or(0);
  }
  out.window = size_of(in, "model.sliding_window").value_or(0);
  if (out.window) out.window_layers = size_of(in, "model.window_layers").value_or(0);
  out.linear_layers = size_of(in, "model.linear_layers").value_or(0);
}

void read_experts(const Fingerprint& in, ModelShape& out) {
  const std::optional<std::uint64_t> count = size_of(in, "model.experts"),
                                     per_token = size_of(in, "model.experts_per_token");
  if (!count || !per_token || *count < 2) return;
  Experts& experts = out.experts.emplace();
  experts.count = *count;
  experts.per_token = *per_token;
  experts.size = size_of(in, "model.expert_intermediate_size").value_or(out.inner_size.value_or(0));
  experts.shared_size =
      size_of(in, "model.shared_expert_size").value_or(experts.size * size_of(in, "model.shared_experts").value_or(0));
  experts.dense_layers = size_of(in, "model.dense_layers").value_or(0);
}

/// Embedding and head stay in 16 bits whatever the layers are stored in.
std::optional<double> bytes_by_shape(const ModelShape& shape) {
  const std::optional<Parameters> counted = parameters_of(shape);
  if (!counted || !shape.format.bits) return std::nullopt;
  const double table_bits = std::max(*shape.format.bits, 16.0);
  const double tables = counted->embedding + (counted->ties ? 0 : counted->head);
  return (tables * table_bits + (counted->total() - tables) * *shape.format.bits) / 8;
}

}  // namespace

std::string_view name_of(WeightsFrom from) {
  constexpr std::array<std::string_view, 4> kNames{"unknown", "files", "index", "shape"};
  return kNames[static_cast<std::size_t>(from)];
}

std::optional<WeightFormat> format_named(const std::string& name) {
  if (name == "bf16" || name == "fp16") return WeightFormat{name, 16, name};
  if (name == "fp32") return WeightFormat{name, 32, "fp32"};
  if (name == "fp8") return WeightFormat{name, 8, name};
  if (name == "int8") return WeightFormat{name, 8, name};
  if (name == "int4") return WeightFormat{name, 4 + kGroupOf128, "fp16", true};
  if (name == "fp4") return WeightFormat{name, 4.5, name};
  return std::nullopt;
}

ModelShape shape_of(const Fingerprint& in) {
  ModelShape out;
  out.name = in.text("model.name");
  out.architecture = in.text("model.architecture");
  out.dtype = in.text("model.weights.dtype");
  if (out.dtype.empty() && in.text("model.dtype") != "auto") out.dtype = in.text("model.dtype");
  out.quantisation = in.text("model.weights.quantisation");
  out.layers = size_of(in, "model.layers");
  out.hidden = size_of(in, "model.hidden_size");
  out.vocabulary = size_of(in, "model.vocabulary");
  out.inner_size = size_of(in, "model.intermediate_size");
  out.ties_embeddings = flag_of(in, "model.tied_embeddings");
  out.context_trained = size_of(in, "model.context_trained");
  read_attention(in, out);
  read_experts(in, out);
  out.format =
      format_of(out, in.text("model.weights.quantisation_scheme"), number_of(in, "model.weights.quantisation_bits"));
  out.parameters = number_of(in, "model.parameters");
  if (!out.parameters) {
    if (const std::optional<Parameters> counted = parameters_of(out)) out.parameters = counted->total();
  }
  if (const std::optional<double> bytes = number_of(in, "model.file_bytes"); bytes && *bytes > 0) {
    out.weight_bytes = bytes;
    out.weights_from = WeightsFrom::files;
  } else if (const std::optional<double> made = bytes_by_shape(out)) {
    out.weight_bytes = made;
    out.weights_from = WeightsFrom::shape;
  }
  return out;
}

}  // namespace scoville::fit
