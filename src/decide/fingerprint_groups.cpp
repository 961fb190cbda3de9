#include "decide/fingerprint_groups.hpp"

#include <algorithm>
#include <array>
#include <regex>

#include "environment/checklist.hpp"

namespace scoville::decide {
namespace {

using event::Fingerprint;
using event::FingerprintField;

constexpr std::size_t kMostShown = 3;
constexpr std::string_view kFlags = "engine.flags.";

bool knows_any(const Fingerprint& system, const std::function<bool(std::string_view)>& belongs) {
  return std::any_of(system.fields().begin(), system.fields().end(), [&](const FingerprintField& field) {
    return field.is_comparable && field.status == event::FieldStatus::ok && belongs(field.key);
  });
}

/// "tp 2, dtype bfloat16 and 4 more"; a key that is not there reads "–".
std::string shown(const Fingerprint& system, const std::vector<std::string>& keys) {
  std::string out;
  for (std::size_t i = 0; i < std::min(keys.size(), kMostShown); ++i) {
    const std::string value = system.text(keys[i]);
    std::string_view name = keys[i];
    if (name.starts_with(kFlags)) name.remove_prefix(kFlags.size());
    out += (out.empty() ? "" : ", ") + std::string(name) + " " + (value.empty() ? "–" : value);
  }
  if (keys.size() > kMostShown) out += " +" + std::to_string(keys.size() - kMostShown);
  return out;
}

bool is_flag_of(std::string_view key, std::initializer_list<std::string_view> names) {
  if (!key.starts_with(kFlags)) return false;
  key.remove_prefix(kFlags.size());
  return std::find(names.begin(), names.end(), key) != names.end();
}

bool is_device_key(std::string_view key, std::string_view last) {
  return key.starts_with("device.") && key.ends_with(last);
}

/// As vendors name a part of a card: "A100-SXM4-40GB MIG 1g.5gb", "GRID A100-10C", "NVIDIA A40-48Q", "Ascend910-vir04".
bool names_a_slice(const std::string& name) {
  static const std::regex kSlice(R"(\bMIG\b|\bGRID\b|-[0-9]+[QCAB]$|vGPU|vNPU|\bvir[0-9]+)", std::regex::icase);
  return name.size() < 256 && std::regex_search(name, kSlice);
}

std::string slice_in(const FingerprintField& field) {
  const std::string_view key = field.key;
  const std::string value = field.value.is_string() ? std::string(field.value.as_string()) : compact(field.value);
  if (is_device_key(key, ".mig") && value == "Enabled") return "MIG";
  if (is_device_key(key, ".partition") && value != "SPX") return "partition " + value;
  if (is_device_key(key, ".name") && names_a_slice(value)) return value;
  if (key.starts_with("env.") && key.ends_with("VISIBLE_DEVICES") && value.find("MIG-") != std::string::npos)
    return "MIG";
  return "";
}

}  // namespace

Reading read_texts(std::string base, std::string candidate) {
  const FieldState state = base.empty() || candidate.empty() ? FieldState::unknown
                           : base == candidate               ? FieldState::equal
                                                             : FieldState::different;
  return {state, std::move(base), std::move(candidate)};
}

Reading read_group(const Setup& base, const Setup& candidate, const std::function<bool(std::string_view)>& belongs) {
  if (!knows_any(base.system, belongs) || !knows_any(candidate.system, belongs)) return {};
  std::vector<std::string> changed = environment::changed_keys(candidate.system, base.system);
  std::erase_if(changed, [&](const std::string& key) { return !belongs(key); });
  if (changed.empty()) return {FieldState::equal, "", ""};
  return {FieldState::different, shown(base.system, changed), shown(candidate.system, changed)};
}

bool is_precision(std::string_view key) {
  return key == "model.dtype" || key.starts_with("model.quantisation") || key.starts_with("model.weights.") ||
         is_flag_of(key, {"dtype", "quantization", "kv_cache_dtype", "cache_type_k", "cache_type_v", "quant_policy",
                          "load_format", "weight_precision", "torchao_config", "calculate_kv_scales"});
}

bool is_parallelism(std::string_view key) {
  return is_flag_of(key, {"tp", "pp", "dp", "ep", "tp_size", "pp_size", "dp_size", "ep_size", "tensor_parallel_size",
                          "pipeline_parallel_size", "data_parallel_size", "enable_expert_parallel",
                          "decode_context_parallel_size", "nnodes", "world_size"});
}

bool is_speculation(std::string_view key) {
  return key.starts_with("engine.flags.spec") ||
         is_flag_of(key, {"num_speculative_tokens", "model_draft", "draft_max"});
}

bool is_prefix_cache(std::string_view key) {
  return is_flag_of(key, {"enable_prefix_caching", "disable_radix_cache", "enable_block_reuse", "cache_reuse",
                          "no_cache_prompt", "cache_prompt", "enable_prefix_cache"});
}

std::string slice_of(const Fingerprint& system) {
  bool knows_a_card = false;
  for (const FingerprintField& field : system.fields()) {
    if (field.status != event::FieldStatus::ok) continue;
    if (std::string slice = slice_in(field); !slice.empty()) return slice;
    knows_a_card = knows_a_card || is_device_key(field.key, ".name");
  }
  return knows_a_card ? "whole cards" : "";
}

}  // namespace scoville::decide
