#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "environment/engine_args.hpp"
#include "environment/secrets.hpp"
#include "environment/server_answers.hpp"
#include "telemetry/prometheus.hpp"

namespace scoville::environment {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kPrefixes{{{"scoville:", "scoville"},
                                                                                   {"vllm:", "vllm"},
                                                                                   {"sglang:", "sglang"},
                                                                                   {"sglang_", "sglang"},
                                                                                   {"llamacpp:", "llama.cpp"},
                                                                                   {"tgi_", "tgi"},
                                                                                   {"trtllm_", "tensorrt-llm"},
                                                                                   {"trtllm:", "tensorrt-llm"},
                                                                                   {"lmdeploy:", "lmdeploy"},
                                                                                   {"dynamo_frontend_", "dynamo"}}};

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> whole(const telemetry::Exposition& metrics, std::string_view name) {
  const telemetry::Sample* const sample = metrics.find(name);
  if (!sample || !std::isfinite(sample->value) || std::abs(sample->value) > 1e15) return std::nullopt;
  return std::llround(sample->value);
}

void learn_number(ServerFacts& facts, std::string_view key, std::optional<std::int64_t> number, std::string_view source,
                  bool is_comparable) {
  if (!number || *number <= 0) return;
  const json::value held(*number);
  facts.learn(key, &held, source, is_comparable);
}

/// vLLM's cache configuration: one sample whose labels are the settings.
void read_cache_config(const telemetry::Sample& info, std::string_view source, ServerFacts& facts) {
  for (const telemetry::Label& each : info.labels) {
    const std::string key = flag_key(each.name);
    if (each.value.empty() || each.value == "None" || is_secret_name(key) || key == "engine") continue;
    const json::value held = flag_value(each.value);
    facts.learn("engine.flags." + key, &held, source, !is_incidental_flag(key));
  }
  learn_number(facts, "model.kv_cache_tokens", whole(info.label("kv_cache_size_tokens")), source, false);
  const std::optional<std::int64_t> blocks = whole(info.label("num_gpu_blocks")),
                                    size = whole(info.label("block_size"));
  if (blocks && size && *blocks > 0 && *size > 0 && *blocks < 1'000'000'000 && *size < 1'000'000) {
    learn_number(facts, "model.kv_cache_tokens", *blocks * *size, source, false);
  }
}

}  // namespace

void read_metrics(std::string_view text, std::string_view source, ServerFacts& facts) {
  const telemetry::Exposition metrics = telemetry::parse_exposition(text);
  for (const auto& [prefix, engine] : kPrefixes) {
    if (metrics.has_prefix(prefix)) facts.learn_engine(engine, source);
  }
  if (const telemetry::Sample* const info = metrics.find("vllm:cache_config_info")) {
    read_cache_config(*info, source, facts);
  }
  learn_number(facts, "model.kv_cache_tokens", whole(metrics, "sglang:max_total_num_tokens"), source, false);
  learn_number(facts, "model.context_length", whole(metrics, "dynamo_frontend_model_context_length"), source, true);
}

void read_iteration_stats(const json::value& answer, std::string_view source, ServerFacts& facts) {
  const json::array* const rows = answer.if_array();
  if (!rows) return;
  facts.learn_engine("tensorrt-llm", source);
  for (const json::value& each : *rows) {
    const json::value* const cache = member(&each, "kvCacheStats");
    const json::value* const blocks = member(cache, "maxNumBlocks");
    const json::value* const size = member(cache, "tokensPerBlock");
    if (!blocks || !size || !blocks->is_int64() || !size->is_int64()) continue;
    if (blocks->get_int64() > 1'000'000'000 || size->get_int64() > 1'000'000) continue;
    facts.learn("engine.flags.tokens_per_block", size, source);
    learn_number(facts, "model.kv_cache_tokens", blocks->get_int64() * size->get_int64(), source, false);
  }
}

void read_server_header(std::string_view header, ServerFacts& facts) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kKnown{
      {{"llama.cpp", "llama.cpp"}, {"scoville", "scoville"}, {"MindIE", "mindie"}, {"LMDeploy", "lmdeploy"}}};
  for (const auto& [part, engine] : kKnown) {
    if (header.find(part) != std::string_view::npos) facts.learn_engine(engine, "header server");
  }
}

}  // namespace scoville::environment
