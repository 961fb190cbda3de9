#include "environment/server_answers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/sha256.hpp"
#include "environment/engine_args.hpp"
#include "environment/secrets.hpp"

namespace scoville::environment {
namespace {

constexpr std::size_t kLongest = 512;  ///< bytes of a setting that is kept as it is; of a longer one, its hash

/// Who owns the model, as servers put it into /v1/models, and which engine that is.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kOwners{{{"vllm", "vllm"},
                                                                                 {"sglang", "sglang"},
                                                                                 {"llamacpp", "llama.cpp"},
                                                                                 {"lmdeploy", "lmdeploy"},
                                                                                 {"tensorrt", "tensorrt-llm"},
                                                                                 {"mindie", "mindie"},
                                                                                 {"lightllm", "lightllm"},
                                                                                 {"xinference", "xinference"},
                                                                                 {"tabbyapi", "tabbyapi"},
                                                                                 {"scoville", "scoville"}}};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// A number such as 1e999 reads as infinite, and cannot be written again.
bool is_writable(const json::value& value) {
  if (value.is_double()) return std::isfinite(value.get_double());
  if (const json::array* items = value.if_array()) return std::all_of(items->begin(), items->end(), &is_writable);
  const json::object* const members = value.if_object();
  return !members ||
         std::all_of(members->begin(), members->end(), [](const auto& each) { return is_writable(each.value()); });
}

/// "torch.bfloat16" → "bfloat16"; "auto" says nothing.
std::string plain_dtype(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  return name == "auto" || name == "None" ? "" : std::string(name);
}

bool is_path(std::string_view root) { return root.starts_with('/') || root.starts_with('.') || root.starts_with('~'); }

void learn_root(ServerFacts& facts, std::string_view key, std::string_view root, std::string_view source) {
  facts.learn(key, root, source, !is_path(root));
}

/// One setting, if it is no secret and says something. Python's "None" is JSON's null.
void learn_flag(ServerFacts& facts, std::string_view name, const json::value& value, std::string_view source) {
  const std::string key = flag_key(name);
  if (key.empty() || is_secret_name(key) || value.is_null() || !is_writable(value)) return;
  const json::string* text = value.if_string();
  if (text && (text->empty() || *text == "None")) return;
  json::value held = text ? masked(flag_value(std::string_view(*text))) : masked(value);
  // A Python object in words may hold what an object in JSON would have named: only its hash is kept.
  const bool is_opaque = text && text->find_first_of("({=") != json::string::npos && is_secret_name(*text);
  if (is_opaque) held = "sha256:" + sha256(*text);
  if (compact(held).size() > kLongest) held = "sha256:" + sha256(compact(held));
  facts.learn("engine.flags." + key, &held, source, !is_incidental_flag(key));
}

/// Names of the same thing in the settings of different engines.
void learn_from_flags(ServerFacts& facts, std::string_view source) {
  const auto flag = [&](std::string_view name) { return facts.fields.text("engine.flags." + std::string(name)); };
  facts.learn("model.dtype", plain_dtype(flag("dtype")), source);
  facts.learn("model.quantisation", flag("quantization"), source);
  facts.learn("model.revision", flag("revision"), source);
  for (const char* name : {"max_model_len", "max_seq_len", "context_length"}) {
    const event::FingerprintField* const field = facts.fields.find("engine.flags." + std::string(name));
    if (field) facts.learn("model.context_length", &field->value, source);
  }
  for (const char* name : {"model_path", "model"}) learn_root(facts, "model.path", flag(name), source);
}

/// vLLM, asked for config_format=json: sections of settings. A name that two sections have stays with the first of
/// them.
void read_config_sections(const json::object& config, std::string_view source, ServerFacts& facts) {
  for (const auto& [name, section] : config) {
    const json::object* const members = section.if_object();
    if (!members) {
      learn_flag(facts, name, section, source);
      continue;
    }
    for (const auto& [key, value] : *members) {
      if (!value.is_structured()) learn_flag(facts, key, value, source);
    }
  }
}

/// vLLM's report on its own machine: what a client far away cannot see.
void read_system_env(const json::value* system, std::string_view source, ServerFacts& facts) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kKnown{{
      {"vllm_version", "engine.version"},
      {"torch_version", "engine.runtime.torch"},
      {"python_version", "engine.runtime.python"},
      {"cuda_runtime_version", "engine.runtime.cuda"},
      {"cudnn_version", "engine.runtime.cudnn"},
      {"rocm_version", "engine.runtime.rocm"},
      {"hip_runtime_version", "engine.runtime.hip"},
      {"nvidia_driver_version", "engine.runtime.driver"},
      {"nvidia_gpu_models", "engine.runtime.devices"},
  }};
  for (const auto& [theirs, ours] : kKnown) {
    const std::string_view text = text_of(system, theirs);
    if (text != "N/A" && text != "Could not collect") facts.learn(ours, text, source);
  }
}

}  // namespace

void ServerFacts::learn(std::string_view key, const json::value* value, std::string_view source, bool is_comparable) {
  if (!value || value->is_null() || fields.find(key) || !is_writable(*value)) return;
  if (const json::string* text = value->if_string(); text && text->empty()) return;
  fields.add(std::string(key), *value, std::string(source), is_comparable);
}

void ServerFacts::learn(std::string_view key, std::string_view value, std::string_view source, bool is_comparable) {
  const json::value held(value);
  learn(key, &held, source, is_comparable);
}

void ServerFacts::learn_engine(std::string_view name, std::string_view source) {
  if (!engine.empty() || name.empty()) return;
  engine = name;
  learn("engine.name", name, source);
}

const json::value* member(const json::value* value, std::string_view key) {
  return value && value->is_object() ? value->get_object().if_contains(key) : nullptr;
}

std::string_view text_of(const json::value* value, std::string_view key) {
  const json::value* const held = member(value, key);
  return held && held->is_string() ? std::string_view(held->get_string()) : std::string_view();
}

void read_models(const json::value& answer, std::string_view source, ServerFacts& facts) {
  const json::value* const list = member(&answer, "data");
  if (!list || !list->is_array()) return;
  const json::value* chosen = nullptr;
  for (const json::value& each : list->get_array()) {
    if (!chosen || text_of(&each, "id") == facts.model) chosen = &each;
  }
  if (!chosen) return;
  const std::string owner = lower(text_of(chosen, "owned_by"));
  for (const auto& [part, engine] : kOwners) {
    if (owner.find(part) != std::string::npos) facts.learn_engine(engine, source);
  }
  if (owner == "library") facts.learn_engine("ollama", source);
  if (facts.model.empty()) facts.model = text_of(chosen, "id");
  if (text_of(chosen, "id") != facts.model) return;  // it is not listed: what is said of others is not said of it
  facts.learn("model.id", facts.model, source);
  learn_root(facts, "model.root", text_of(chosen, "root"), source);
  facts.learn("model.parent", text_of(chosen, "parent"), source);
  facts.learn("model.context_length", member(chosen, "max_model_len"), source);
  const json::value* const meta = member(chosen, "meta");
  facts.learn("model.parameters", member(meta, "n_params"), source);
  facts.learn("model.bytes", member(meta, "size"), source);
  facts.learn("model.vocabulary", member(meta, "n_vocab"), source);
  facts.learn("model.context_trained", member(meta, "n_ctx_train"), source);
  facts.learn("model.context_length", member(meta, "n_ctx"), source);
  facts.learn("model.quantisation", text_of(meta, "ftype"), source);
}

void read_version(const json::value& answer, std::string_view source, ServerFacts& facts) {
  facts.learn("engine.version", text_of(&answer, "version"), source);
}

void read_server_info(const json::value& answer, std::string_view source, ServerFacts& facts) {
  const json::object* const root = answer.if_object();
  if (!root) return;
  if (const json::value* const config = root->if_contains("vllm_config")) {
    facts.learn_engine("vllm", source);
    if (const json::string* text = config->if_string()) {
      read_config_sections(parse_config_text(*text), source, facts);
    } else if (const json::object* sections = config->if_object()) {
      read_config_sections(*sections, source, facts);
    }
    read_system_env(root->if_contains("system_env"), source, facts);
  } else {
    if (root->contains("mem_fraction_static") || root->contains("chunked_prefill_size")) {
      facts.learn_engine("sglang", source);
    }
    facts.learn("engine.version", text_of(&answer, "version"), source);
    facts.learn("model.kv_cache_tokens", member(&answer, "max_total_num_tokens"), source, false);
    for (const auto& [key, value] : *root) {
      if (key == "version" || key == "internal_states" || key == "max_total_num_tokens") continue;
      learn_flag(facts, key, value, source);
    }
  }
  learn_from_flags(facts, source);
}

void read_model_info(const json::value& answer, std::string_view source, ServerFacts& facts) {
  if (!text_of(&answer, "tokenizer_path").empty()) facts.learn_engine("sglang", source);
  learn_root(facts, "model.path", text_of(&answer, "model_path"), source);
  facts.learn("model.weight_version", text_of(&answer, "weight_version"), source);
  facts.learn("model.architecture", text_of(&answer, "model_type"), source);
}

void read_props(const json::value& answer, std::string_view source, ServerFacts& facts) {
  const std::string_view build = text_of(&answer, "build_info");
  if (!build.empty() || member(&answer, "total_slots")) facts.learn_engine("llama.cpp", source);
  facts.learn("engine.build", build, source);
  // "b4567-89abcdef": number and commit. A build outside of its repository calls itself b0.
  const std::string_view number = build.substr(0, build.find('-'));
  if (number.starts_with('b') && number != "b0") facts.learn("engine.version", number, source);
  facts.learn("model.path", text_of(&answer, "model_path"), source, false);
  facts.learn("model.quantisation", text_of(&answer, "model_ftype"), source);
  const json::value* const generation = member(&answer, "default_generation_settings");
  facts.learn("model.context_length", member(generation, "n_ctx"), source);
  facts.learn("engine.flags.parallel", member(&answer, "total_slots"), source);
  const std::string_view chat = text_of(&answer, "chat_template");
  if (!chat.empty()) facts.learn("model.chat_template_sha256", sha256(chat), source);
}

void read_info(const json::value& answer, std::string_view source, ServerFacts& facts) {
  const json::value* const models = member(&answer, "models");
  if (models && models->is_array() && !models->get_array().empty()) {  // MindIE: TGI's answer with a list of models
    const json::value* const first = &models->get_array().front();
    if (text_of(first, "model_device_type") == "npu") facts.learn_engine("mindie", source);
    facts.learn("model.id", text_of(first, "model_id"), source);
    facts.learn("model.dtype", plain_dtype(text_of(first, "model_dtype")), source);
    facts.learn("model.revision", text_of(first, "model_sha"), source);
    facts.learn("model.context_length", member(first, "max_total_tokens"), source);
  } else if (!text_of(&answer, "model_id").empty()) {
    facts.learn_engine("tgi", source);
    facts.learn("model.id", text_of(&answer, "model_id"), source);
    facts.learn("model.revision", text_of(&answer, "model_sha"), source);
    facts.learn("model.dtype", plain_dtype(text_of(&answer, "model_dtype")), source);
    facts.learn("model.context_length", member(&answer, "max_total_tokens"), source);
  } else {
    return;
  }
  facts.learn("engine.version", text_of(&answer, "version"), source);
  facts.learn("engine.build", text_of(&answer, "docker_label"), source);
  facts.learn("engine.build", text_of(&answer, "sha"), source);
  for (const auto& [key, value] : answer.get_object()) {
    if (key.starts_with("max_") || key.starts_with("waiting_") || key == "validation_workers") {
      learn_flag(facts, key, value, source);
    }
  }
}

void read_ollama_version(const json::value& answer, std::string_view source, ServerFacts& facts) {
  const std::string_view version = text_of(&answer, "version");
  if (!version.empty()) facts.learn_engine("ollama", source);
  if (facts.engine == "ollama") facts.learn("engine.version", version, source);
}

void read_ollama_tags(const json::value& answer, std::string_view source, ServerFacts& facts) {
  const json::value* const list = member(&answer, "models");
  if (!list || !list->is_array()) return;
  for (const json::value& each : list->get_array()) {
    const std::string_view name = text_of(&each, "name");
    if (facts.model.empty()) facts.model = name;
    if (name != facts.model && name != facts.model + ":latest") continue;
    facts.learn_engine("ollama", source);
    facts.learn("model.id", facts.model, source);
    facts.learn("model.revision", text_of(&each, "digest"), source);
    facts.learn("model.bytes", member(&each, "size"), source);
    facts.learn("model.quantisation", text_of(member(&each, "details"), "quantization_level"), source);
  }
}

void read_ollama_show(const json::value& answer, std::string_view source, ServerFacts& facts) {
  facts.learn("model.quantisation", text_of(member(&answer, "details"), "quantization_level"), source);
  const json::value* const info = member(&answer, "model_info");
  const std::string architecture(text_of(info, "general.architecture"));
  facts.learn("model.architecture", architecture, source);
  facts.learn("model.parameters", member(info, "general.parameter_count"), source);
  facts.learn("model.context_trained", member(info, architecture + ".context_length"), source);
  const std::string_view chat = text_of(&answer, "template");
  if (!chat.empty()) facts.learn("model.chat_template_sha256", sha256(chat), source);
}

json::object parse_config_text(std::string_view text) {
  json::object out;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (quote) {
      if (c == quote || i == text.size()) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    }
    if (i < text.size() && (c != ',' || quote || depth > 0)) continue;
    std::string_view item = text.substr(begin, i - begin);
    begin = i + 1;
    while (item.starts_with(' ')) item.remove_prefix(1);
    const std::size_t mark = item.find('=');
    if (mark == std::string_view::npos || mark == 0) continue;
    std::string_view value = item.substr(mark + 1);
    if (value.size() >= 2 && (value[0] == '\'' || value[0] == '"') && value.back() == value[0]) {
      value = value.substr(1, value.size() - 2);
    }
    out[item.substr(0, mark)] = value;
  }
  return out;
}

}  // namespace scoville::environment
