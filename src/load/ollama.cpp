#include "load/ollama.hpp"

#include "load/request_body.hpp"

namespace scoville::load {

json::object ollama_request(const dataset::Prompt& prompt, const plan::RequestShape& shape) {
  json::object options;
  if (const std::uint32_t limit = token_limit(prompt, shape)) options["num_predict"] = limit;
  if (shape.temperature) options["temperature"] = *shape.temperature;
  if (shape.top_p) options["top_p"] = *shape.top_p;
  json::object body{{"model", model_of(prompt, shape)}, {"stream", true}};
  if (!options.empty()) body["options"] = std::move(options);
  return body;
}

void read_ollama_end(const JsonObject& frame, ChoiceDelta& delta, Chunk& out) {
  bool is_done = false;
  if (frame["done"].get(is_done) != simdjson::SUCCESS || !is_done) return;
  out.is_end = true;
  delta.finish_reason = text_at(frame, "done_reason").value_or("");
  delta.has_finish = !delta.finish_reason.empty();
  out.prompt_tokens = integer_at(frame, "prompt_eval_count");
  out.completion_tokens = integer_at(frame, "eval_count");
  const auto nanos = integer_at(frame, "eval_duration");
  if (!out.completion_tokens || !nanos) return;
  event::ServerTimings server;
  server.predicted_n = out.completion_tokens;
  server.prompt_n = out.prompt_tokens;
  out.server_decode_s = static_cast<double>(*nanos) / 1e9;
  if (*nanos > 0) server.decode_tokens_per_s = static_cast<double>(*out.completion_tokens) / *out.server_decode_s;
  out.server = server;
}

}  // namespace scoville::load
