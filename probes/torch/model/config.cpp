#include "model/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.hpp"
#include "base/json.hpp"

namespace scoville::torch_probe::model {
namespace {

/// 256 bytes and the special tokens of our own tokenizer, filled up to a multiple of 64.
constexpr std::int64_t kByteVocab = 320;
constexpr std::int64_t kByteBos = 256, kByteEos = 257;

Config shaped(std::string name, std::int64_t vocab, std::int64_t hidden, std::int64_t layers, std::int64_t heads,
              std::int64_t kv_heads, std::int64_t head_dim, std::int64_t intermediate) {
  Config made;
  made.name = std::move(name);
  made.vocab = vocab;
  made.hidden = hidden;
  made.layers = layers;
  made.heads = heads;
  made.kv_heads = kv_heads;
  made.head_dim = head_dim;
  made.intermediate = intermediate;
  made.eos = {kByteEos};
  made.bos = kByteBos;
  return made;
}

/// Llama 3's positions, stretched by `factor`.
Config llama3(Config made, double factor) {
  made.rope_theta = 500000;
  made.max_positions = 131072;
  made.rope_scaling = RopeScaling{factor, 1, 4, 8192};
  return made;
}

Config smollm2_135m() {
  Config made = shaped("135m", 49152, 576, 30, 9, 3, 64, 1536);
  made.rope_theta = 100000;
  made.max_positions = 8192;
  made.tie_embeddings = true;
  return made;
}

Config tied(Config made) {
  made.tie_embeddings = true;
  return made;
}

std::vector<Config> presets() {
  return {shaped("tiny", kByteVocab, 128, 4, 4, 2, 32, 384),
          shaped("small", kByteVocab, 384, 12, 6, 2, 64, 1024),
          smollm2_135m(),
          tied(llama3(shaped("1b", 128256, 2048, 16, 32, 8, 64, 8192), 32)),
          tied(llama3(shaped("3b", 128256, 3072, 28, 24, 8, 128, 8192), 32)),
          llama3(shaped("8b", 128256, 4096, 32, 32, 8, 128, 14336), 8)};
}

constexpr std::array<std::string_view, 6> kPresetNames{"tiny", "small", "135m", "1b", "3b", "8b"};

Error bad(std::string words) { return {ErrorCode::invalid_argument, std::move(words)}; }
Error not_loaded(std::string what) { return {ErrorCode::unsupported, what + ": not loaded by the reference model"}; }

/// Reads members of a config.json; the first fault stays.
class Fields {
 public:
  explicit Fields(const json::object& object) : object_(object) {}

  bool has(std::string_view key) const {
    const json::value* value = object_.if_contains(key);
    return value && !value->is_null();
  }
  std::int64_t size(std::string_view key, std::optional<std::int64_t> otherwise = std::nullopt) {
    if (!has(key) && otherwise) return *otherwise;
    json::error_code wrong = boost::system::errc::make_error_code(boost::system::errc::invalid_argument);
    std::int64_t value = 0;
    if (has(key)) value = object_.at(key).to_number<std::int64_t>(wrong);
    if (wrong || value < 1 || value > 1 << 30) fail(key, "a whole number from 1 to 2^30");
    return std::max<std::int64_t>(value, 1);
  }
  double number(std::string_view key, double otherwise) {
    if (!has(key)) return otherwise;
    json::error_code wrong;
    const double value = object_.at(key).to_number<double>(wrong);
    if (wrong || !(value > 0)) fail(key, "a number above 0");
    return value;
  }
  bool flag(std::string_view key, bool otherwise) {
    if (!has(key)) return otherwise;
    if (!object_.at(key).is_bool()) fail(key, "true or false");
    return object_.at(key).is_bool() && object_.at(key).as_bool();
  }
  std::string text(std::string_view key) {
    if (!has(key)) return "";
    if (!object_.at(key).is_string()) fail(key, "text");
    return object_.at(key).is_string() ? std::string(object_.at(key).as_string()) : "";
  }
  /// One token, or a list of them.
  std::vector<std::int64_t> tokens(std::string_view key) {
    std::vector<std::int64_t> all;
    if (!has(key)) return all;
    const json::value& value = object_.at(key);
    const auto take = [&](const json::value& each) {
      if (each.is_int64()) return all.push_back(each.as_int64());
      fail(key, "a token number, or a list of them");
    };
    if (!value.is_array()) {
      take(value);
      return all;
    }
    for (const json::value& each : value.as_array()) take(each);
    return all;
  }
  void fail(std::string_view key, std::string_view expected) {
    if (fault_.empty()) fault_ = fmt::format("{}: expected {}", key, expected);
  }
  const std::string& fault() const { return fault_; }

 private:
  const json::object& object_;
  std::string fault_;
};

/// What the family may say and we do not compute. Empty: nothing.
std::string beyond(Fields& fields, const json::object& object, const std::string& type) {
  constexpr std::array<std::string_view, 3> kTypes{"llama", "qwen2", "qwen3"};
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    return fmt::format("model_type {} (loaded are llama, qwen2, qwen3)", type.empty() ? "(none)" : type);
  }
  for (const std::string_view experts : {"num_experts", "num_local_experts", "n_routed_experts"}) {
    if (fields.has(experts)) return fmt::format("a mixture of experts ({})", experts);
  }
  if (fields.has("quantization_config")) return "quantised weights (quantization_config)";
  if (fields.flag("use_sliding_window", false)) return "a sliding window (use_sliding_window)";
  if (fields.has("hidden_act") && fields.text("hidden_act") != "silu") return "hidden_act " + fields.text("hidden_act");
  if (fields.flag("mlp_bias", false)) return "mlp_bias";
  if (type != "qwen2" && fields.flag("attention_bias", false)) return "attention_bias";
  if (const json::value* factor = object.if_contains("partial_rotary_factor"); factor && *factor != json::value(1.0)) {
    return "partial_rotary_factor";
  }
  return "";
}

/// Newer files keep rotation and its scaling in one object, rope_parameters.
Status read_rope(const json::object& object, Fields& fields, Config& to) {
  to.rope_theta = fields.number("rope_theta", 10000);
  const char* const key = fields.has("rope_parameters") ? "rope_parameters" : "rope_scaling";
  if (!fields.has(key)) return Done{};
  if (!object.at(key).is_object()) return bad(fmt::format("{}: expected an object", key));
  Fields inner(object.at(key).as_object());
  to.rope_theta = inner.number("rope_theta", to.rope_theta);
  const std::string type = inner.has("rope_type") ? inner.text("rope_type") : inner.text("type");
  if (type == "llama3") {
    RopeScaling scaling;
    scaling.factor = inner.number("factor", scaling.factor);
    scaling.low_freq_factor = inner.number("low_freq_factor", scaling.low_freq_factor);
    scaling.high_freq_factor = inner.number("high_freq_factor", scaling.high_freq_factor);
    scaling.original_positions = inner.size("original_max_position_embeddings", scaling.original_positions);
    to.rope_scaling = scaling;
  } else if (!type.empty() && type != "default") {
    return not_loaded(fmt::format("{} of type {}", key, type));
  }
  return inner.fault().empty() ? Status(Done{}) : Status(bad(fmt::format("{}.{}", key, inner.fault())));
}

void read_shape(Fields& fields, Config& to) {
  to.vocab = fields.size("vocab_size");
  to.hidden = fields.size("hidden_size");
  to.layers = fields.size("num_hidden_layers");
  to.heads = fields.size("num_attention_heads");
  to.kv_heads = fields.size("num_key_value_heads", to.heads);
  to.head_dim = fields.size("head_dim", std::max<std::int64_t>(to.hidden / to.heads, 1));
  to.intermediate = fields.size("intermediate_size");
  to.max_positions = fields.size("max_position_embeddings", 2048);
  to.norm_eps = fields.number("rms_norm_eps", 1e-6);
  to.tie_embeddings = fields.flag("tie_word_embeddings", false);
  to.eos = fields.tokens("eos_token_id");
  if (const auto bos = fields.tokens("bos_token_id"); !bos.empty()) to.bos = bos.front();
  if (to.heads % to.kv_heads != 0) fields.fail("num_key_value_heads", "a divisor of num_attention_heads");
  if (to.head_dim % 2 != 0) fields.fail("head_dim", "an even number");
}

}  // namespace

std::int64_t Config::parameters() const {
  const std::int64_t attention =
      hidden * qkv_rows() + (qkv_bias ? qkv_rows() : 0) + heads * head_dim * hidden + (qk_norm ? 2 * head_dim : 0);
  const std::int64_t layer = attention + 3 * hidden * intermediate + 2 * hidden;
  return layers * layer + (tie_embeddings ? 1 : 2) * vocab * hidden + hidden;
}

std::vector<std::string_view> preset_names() { return {kPresetNames.begin(), kPresetNames.end()}; }

Result<Config> preset(std::string_view name) {
  for (Config& each : presets()) {
    if (each.name == name) return std::move(each);
  }
  return bad(fmt::format("no model {}: expected one of {}, or a folder with config.json and safetensors", name,
                         fmt::join(kPresetNames, ", ")));
}

Result<Config> config_from_json(std::string_view text, const std::string& name) {
  json::error_code wrong;
  const json::value read = json::parse({text.data(), text.size()}, wrong);
  if (wrong || !read.is_object()) return bad("expected a JSON object");
  const json::object& object = read.as_object();
  Fields fields(object);
  const std::string type = fields.text("model_type");
  if (const std::string what = beyond(fields, object, type); !what.empty()) return not_loaded(what);
  Config made;
  made.name = name;
  made.qkv_bias = type == "qwen2";
  made.qk_norm = type == "qwen3";
  read_shape(fields, made);
  if (Status rope = read_rope(object, fields, made); !rope) return std::move(rope.error());
  if (!fields.fault().empty()) return bad(fields.fault());
  return made;
}

Result<Config> read_config(const std::string& folder) {
  const std::string path = folder + "/config.json";
  const auto text = read_file(path);
  if (!text) return text.error();
  std::string name = folder;
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  auto config = config_from_json(*text, name.substr(name.find_last_of('/') + 1));
  if (!config) return std::move(config.error()).within(path);
  return config;
}

}  // namespace scoville::torch_probe::model
