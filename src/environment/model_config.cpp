#include "environment/model_config.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "base/file.hpp"
#include "environment/server_answers.hpp"

namespace scoville::environment {
namespace {

namespace fs = std::filesystem;
using event::FieldStatus;

constexpr const char* kMethod = "model.weights.quantisation";
constexpr const char* kBits = "model.weights.quantisation_bits";
constexpr const char* kScheme = "model.weights.quantisation_scheme";

bool is_plain(const json::value* value) {
  if (!value || value->is_null() || value->is_structured()) return false;
  if (value->is_double() && !std::isfinite(value->get_double())) return false;
  return !value->is_string() || !value->get_string().empty();
}

/// The first of `names` that says something becomes `key`.
bool add_first(event::Fingerprint& out, const char* key, const json::value* from,
               std::initializer_list<std::string_view> names, const std::string& source) {
  for (const std::string_view name : names) {
    const json::value* const held = member(from, name);
    if (!is_plain(held)) continue;
    out.add(key, *held, source);
    return true;
  }
  return false;
}

/// The sizes of a multimodal model stand one level deeper.
const json::value* language_part(const json::value& config) {
  for (const char* name : {"text_config", "llm_config", "language_config", "thinker_config"}) {
    const json::value* const part = member(&config, name);
    if (part && part->is_object()) return part;
  }
  return nullptr;
}

void read_sizes(const json::value& config, const std::string& source, event::Fingerprint& out) {
  constexpr std::array<std::pair<const char*, std::array<std::string_view, 3>>, 21> kSizes{{
      {"model.layers", {"num_hidden_layers", "n_layer", "num_layers"}},
      {"model.heads", {"num_attention_heads", "n_head", ""}},
      {"model.kv_heads", {"num_key_value_heads", "multi_query_group_num", ""}},
      {"model.hidden_size", {"hidden_size", "n_embd", "d_model"}},
      {"model.vocabulary", {"vocab_size", "padded_vocab_size", ""}},
      {"model.context_trained", {"max_position_embeddings", "seq_length", "n_positions"}},
      {"model.head_dim", {"head_dim", "kv_channels", ""}},
      {"model.intermediate_size", {"intermediate_size", "ffn_hidden_size", "n_inner"}},
      {"model.tied_embeddings", {"tie_word_embeddings", "", ""}},
      {"model.kv_lora_rank", {"kv_lora_rank", "", ""}},
      {"model.q_lora_rank", {"q_lora_rank", "", ""}},
      {"model.qk_rope_head_dim", {"qk_rope_head_dim", "", ""}},
      {"model.qk_nope_head_dim", {"qk_nope_head_dim", "", ""}},
      {"model.v_head_dim", {"v_head_dim", "", ""}},
      {"model.expert_intermediate_size", {"moe_intermediate_size", "expert_ffn_hidden_size", ""}},
      {"model.shared_experts", {"n_shared_experts", "", ""}},
      {"model.shared_expert_size", {"shared_expert_intermediate_size", "", ""}},
      {"model.dense_layers", {"first_k_dense_replace", "", ""}},
      {"model.experts", {"num_experts", "n_routed_experts", "num_local_experts"}},
      {"model.experts_per_token", {"num_experts_per_tok", "moe_topk", "top_k_experts"}},
      {"model.weights.dtype", {"torch_dtype", "dtype", ""}},
  }};
  const json::value* const part = language_part(config);
  for (const auto& [key, names] : kSizes) {
    if (!add_first(out, key, &config, {names[0], names[1], names[2]}, source)) {
      add_first(out, key, part, {names[0], names[1], names[2]}, source);
    }
  }
  const json::value* const classes = member(&config, "architectures");
  if (classes && classes->is_array() && !classes->get_array().empty() && is_plain(&classes->get_array().front())) {
    out.add("model.architecture", classes->get_array().front(), source);
  } else {
    add_first(out, "model.architecture", &config, {"model_type"}, source);
  }
}

/// How many layers look back only so far, and how many keep no cache that grows: `layer_types` says so layer by layer;
/// older files name a pattern (every n-th layer sees everything), or nothing, which means all of them.
void read_windows(const json::value& config, const std::string& source, event::Fingerprint& out) {
  const json::value* const part = language_part(config);
  const json::value& held = part && member(part, "num_hidden_layers") ? *part : config;
  const json::value* const types = member(&held, "layer_types");
  if (types && types->is_array()) {
    const json::array& all = types->get_array();
    const auto count = [&](const char* kind) { return std::count(all.begin(), all.end(), json::value(kind)); };
    out.add("model.linear_layers", count("linear_attention"), source);
    out.add("model.window_layers", count("sliding_attention"), source);
    if (count("sliding_attention") > 0) add_first(out, "model.sliding_window", &held, {"sliding_window"}, source);
    return;
  }
  const json::value* const use = member(&held, "use_sliding_window");
  if (use && *use == json::value(false)) return;
  if (!add_first(out, "model.sliding_window", &held, {"sliding_window"}, source)) return;
  const json::value* const layers = member(&held, "num_hidden_layers");
  const json::value* const pattern = member(&held, "sliding_window_pattern");
  if (!layers || !layers->is_int64()) return;
  std::int64_t windowed = layers->get_int64();
  if (pattern && pattern->is_int64() && pattern->get_int64() > 0) windowed -= windowed / pattern->get_int64();
  if (!pattern && text_of(&held, "model_type").starts_with("gemma2")) windowed = (windowed + 1) / 2;
  out.add("model.window_layers", windowed, source);
}

/// modelslim writes one line for each tensor: the commonest scheme that is not FLOAT speaks for the model, where the
/// file does not say so itself.
std::string commonest_scheme(const json::object& description) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [tensor, scheme] : description) {
    if (scheme.is_string() && scheme.get_string() != "FLOAT" && tensor.find('.') != json::string_view::npos) {
      ++counts[std::string(scheme.get_string())];
    }
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? "" : most->first;
}

bool read_modelslim(const std::string& folder, event::Fingerprint& out) {
  std::vector<std::string> names;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
    const std::string name = at->path().filename();
    if (name.starts_with("quant_model_description") && name.ends_with(".json")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const json::value description = read_json_file(folder + "/" + name);
    if (!description.is_object()) continue;
    std::string scheme(text_of(&description, "model_quant_type"));
    if (scheme.empty()) scheme = commonest_scheme(description.get_object());
    out.add(kMethod, "modelslim", name);
    if (!scheme.empty()) out.add(kScheme, json::value(scheme), name);
    return true;
  }
  return false;
}

bool read_neighbours(const std::string& folder, event::Fingerprint& out) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kOld{
      {{"quantize_config.json", "gptq"}, {"quant_config.json", "awq"}}};
  for (const auto& [name, method] : kOld) {
    const json::value held = read_json_file(folder + "/" + std::string(name));
    if (!held.is_object()) continue;
    read_quantisation(held, std::string(name), out);
    if (!out.find(kMethod)) out.add(kMethod, json::value(method), std::string(name));
    return true;
  }
  const json::value optimised = read_json_file(folder + "/hf_quant_config.json");
  const std::string_view algorithm = text_of(member(&optimised, "quantization"), "quant_algo");
  if (algorithm.empty()) return false;
  out.add(kMethod, "modelopt", "hf_quant_config.json");
  out.add(kScheme, json::value(algorithm), "hf_quant_config.json");
  return true;
}

}  // namespace

json::value read_json_file(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return nullptr;
  json::error_code fault;
  json::value held = json::parse(*text, fault);
  return fault ? json::value(nullptr) : held;
}

void read_quantisation(const json::value& config, const std::string& source, event::Fingerprint& out) {
  add_first(out, kMethod, &config, {"quant_method", "quant_algo"}, source);
  add_first(out, kScheme, &config, {"fmt", "format", "version", "checkpoint_format"}, source);
  if (add_first(out, kBits, &config, {"bits", "w_bit", "num_bits", "weight_bits"}, source)) return;
  const std::string method = out.text(kMethod);
  if (const json::object* groups =
          member(&config, "config_groups") ? member(&config, "config_groups")->if_object() : nullptr) {
    if (!groups->empty()) add_first(out, kBits, member(&groups->begin()->value(), "weights"), {"num_bits"}, source);
  } else if (method == "fp8" || method == "fbgemm_fp8") {
    out.add(kBits, 8, source);
  } else if (method == "mxfp4" || text_of(&config, "load_in_4bit") == "true" ||
             (member(&config, "load_in_4bit") && *member(&config, "load_in_4bit") == json::value(true))) {
    out.add(kBits, 4, source);
  } else if (member(&config, "load_in_8bit") && *member(&config, "load_in_8bit") == json::value(true)) {
    out.add(kBits, 8, source);
  }
}

void read_model_config(const std::string& folder, event::Fingerprint& out) {
  constexpr const char* kConfig = "config.json";
  const std::string path = folder + "/" + kConfig;
  const json::value config = read_json_file(path);
  if (!config.is_object()) {
    out.miss("model.architecture", fs::exists(path) ? FieldStatus::error : FieldStatus::absent, kConfig);
    if (!read_modelslim(folder, out) && !read_neighbours(folder, out)) out.miss(kMethod, FieldStatus::absent, kConfig);
    return;
  }
  read_sizes(config, kConfig, out);
  read_windows(config, kConfig, out);
  const json::value* quantised = member(&config, "quantization_config");
  if (!quantised) quantised = member(language_part(config), "quantization_config");
  if (!quantised) quantised = member(&config, "compression_config");  // compressed-tensors of 2024
  if (quantised && quantised->is_object()) {
    read_quantisation(*quantised, kConfig, out);
  } else if (!read_modelslim(folder, out) && !read_neighbours(folder, out)) {
    out.add(kMethod, "none", kConfig);
  }
}

void read_gguf_fields(const GgufHeader& header, event::Fingerprint& out) {
  constexpr const char* kSource = "GGUF header";
  const std::string architecture = header.text("general.architecture");
  const auto add = [&](const char* key, const std::string& name) {
    const json::value* const held = header.find(name);
    if (is_plain(held)) out.add(key, *held, kSource);
  };
  add("model.architecture", "general.architecture");
  add("model.name", "general.name");
  add("model.size_label", "general.size_label");
  add("model.context_trained", architecture + ".context_length");
  add("model.layers", architecture + ".block_count");
  add("model.hidden_size", architecture + ".embedding_length");
  add("model.heads", architecture + ".attention.head_count");
  add("model.kv_heads", architecture + ".attention.head_count_kv");
  add("model.experts", architecture + ".expert_count");
  add("model.experts_per_token", architecture + ".expert_used_count");
  add("model.vocabulary", "tokenizer.ggml.tokens");  // an array: its length
  add("model.head_dim", architecture + ".attention.key_length");
  add("model.intermediate_size", architecture + ".feed_forward_length");
  add("model.expert_intermediate_size", architecture + ".expert_feed_forward_length");
  add("model.shared_experts", architecture + ".expert_shared_count");
  add("model.dense_layers", architecture + ".leading_dense_block_count");
  add("model.kv_lora_rank", architecture + ".attention.kv_lora_rank");
  add("model.q_lora_rank", architecture + ".attention.q_lora_rank");
  if (header.find(architecture + ".attention.kv_lora_rank"))
    add("model.qk_rope_head_dim", architecture + ".rope.dimension_count");
  if (header.parameters) out.add("model.parameters", *header.parameters, kSource);
  if (header.ties_embeddings) out.add("model.tied_embeddings", *header.ties_embeddings, kSource);
  out.add("model.tensors", header.tensor_count, kSource);
  const json::value* const type = header.find("general.file_type");
  const json::value as_number = type ? *type : json::value(nullptr);
  json::error_code fault;
  const std::int64_t number = as_number.to_number<std::int64_t>(fault);
  const std::string_view name = fault ? "" : gguf_file_type(number);
  if (!name.empty()) {
    out.add(kMethod, json::value(name), kSource);
  } else {
    out.miss(kMethod, FieldStatus::absent, kSource);
  }
}

}  // namespace scoville::environment
