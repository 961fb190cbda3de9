#include "load/openai.hpp"

#include <algorithm>

#include "load/request_body.hpp"

namespace scoville::load {

json::object openai_streaming(const plan::RequestShape& shape) {
  json::object body{{"stream", true}};
  if (shape.include_usage) body["stream_options"] = json::object{{"include_usage", true}};
  return body;
}

json::object openai_request(const dataset::Prompt& prompt, const plan::RequestShape& shape) {
  json::object body;
  body["model"] = model_of(prompt, shape);
  for (const auto& [key, value] : openai_streaming(shape)) body[key] = value;
  if (const std::uint32_t limit = token_limit(prompt, shape)) body[shape.max_tokens_field] = limit;
  if (shape.ignore_eos) body["ignore_eos"] = true;
  if (shape.n > 1) body["n"] = shape.n;
  if (shape.temperature) body["temperature"] = *shape.temperature;
  if (shape.top_p) body["top_p"] = *shape.top_p;
  return body;
}

void read_openai_usage(const JsonObject& frame, Chunk& out) {
  if (const auto usage = object_at(frame, "usage")) {
    out.prompt_tokens = integer_at(*usage, "prompt_tokens");
    out.completion_tokens = integer_at(*usage, "completion_tokens");
    if (const auto details = object_at(*usage, "prompt_tokens_details")) {
      out.cached_tokens = integer_at(*details, "cached_tokens");
    } else {
      out.cached_tokens = integer_at(*usage, "prompt_cache_hit_tokens");  // DeepSeek
    }
  }
  if (const auto timings = object_at(frame, "timings")) {  // llama.cpp
    event::ServerTimings server;
    server.prompt_n = integer_at(*timings, "prompt_n");
    server.cache_n = integer_at(*timings, "cache_n");
    server.predicted_n = integer_at(*timings, "predicted_n");
    const auto millis = number_at(*timings, "predicted_ms");
    if (millis && server.predicted_n) {
      out.server_decode_s = *millis / 1e3;
      if (*millis > 0) server.decode_tokens_per_s = static_cast<double>(*server.predicted_n) / *out.server_decode_s;
    }
    out.server = server;
    if (!out.cached_tokens) out.cached_tokens = server.cache_n;
  }
  out.emit_ns = integer_at(frame, "emit_ns");
}

void read_openai_finish(const JsonObject& choice, ChoiceDelta& delta) {
  const auto reason = text_at(choice, "finish_reason");
  delta.has_finish = reason && !reason->empty();
  if (delta.has_finish) delta.finish_reason = *reason;
}

std::int32_t exact_tokens(const JsonObject& choice, const char* member) {
  if (const auto ids = array_at(choice, "token_ids"); ids && ids->size() > 0)
    return static_cast<std::int32_t>(ids->size());
  const auto logprobs = object_at(choice, "logprobs");
  const auto list = logprobs ? array_at(*logprobs, member) : std::nullopt;
  return list ? static_cast<std::int32_t>(list->size()) : -1;
}

std::uint8_t choice_index(const JsonObject& choice) {
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(integer_at(choice, "index").value_or(0), 0, 255));
}

}  // namespace scoville::load
