#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "event/fingerprint.hpp"

namespace scoville::environment {

/// What has been understood so far of one server.
///
/// The first word on a key stands, but for `engine.flags.*`, which only one source tells: readers are called in the
/// order of how much their source is to be trusted.
struct ServerFacts {
  event::Fingerprint fields;
  std::string engine;  ///< "vllm", "sglang", "llama.cpp"…; "" while unknown
  std::string model;   ///< id of the model in question

  /// Does nothing for null and for "" (nothing was said), nor where the key is known already.
  void learn(std::string_view key, const json::value* value, std::string_view source, bool is_comparable = true);
  void learn(std::string_view key, std::string_view value, std::string_view source, bool is_comparable = true);
  void learn_engine(std::string_view name, std::string_view source);
};

/// value.key, null if there is none.
const json::value* member(const json::value* value, std::string_view key);
/// value.key as text; "" if it is none.
std::string_view text_of(const json::value* value, std::string_view key);

/// One reader for each path; each bears any JSON.
void read_models(const json::value& answer, std::string_view source, ServerFacts& facts);
void read_version(const json::value& answer, std::string_view source, ServerFacts& facts);
void read_server_info(const json::value& answer, std::string_view source, ServerFacts& facts);
void read_model_info(const json::value& answer, std::string_view source, ServerFacts& facts);
void read_props(const json::value& answer, std::string_view source, ServerFacts& facts);
void read_info(const json::value& answer, std::string_view source, ServerFacts& facts);
void read_ollama_version(const json::value& answer, std::string_view source, ServerFacts& facts);
void read_ollama_tags(const json::value& answer, std::string_view source, ServerFacts& facts);
void read_ollama_show(const json::value& answer, std::string_view source, ServerFacts& facts);
/// TensorRT-LLM's iteration statistics, an array.
void read_iteration_stats(const json::value& answer, std::string_view source, ServerFacts& facts);
/// The Prometheus text.
void read_metrics(std::string_view text, std::string_view source, ServerFacts& facts);
/// The response header `server`, where it names an engine and not the library that speaks HTTP for it.
void read_server_header(std::string_view header, ServerFacts& facts);

/// The settings in vLLM's configuration as text, "model='m', dtype=torch.bfloat16, x=f(a, b)": an object of texts.
json::object parse_config_text(std::string_view text);

}  // namespace scoville::environment
