#include "endpoint/responses_text.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/rng.hpp"
#include "endpoint/words.hpp"

namespace scoville::endpoint {
namespace {

constexpr int kDimensions = 8;  // of a made-up vector: a client does not look at it

std::string quoted(std::string_view text) { return json::serialize(json::string(text.data(), text.size())); }

void append_chunk(std::string& out, std::string_view text) {
  fmt::format_to(std::back_inserter(out), "{:x}\r\n{}\r\n", text.size(), text);
}

std::string event_of(std::string_view type, std::uint64_t sequence, std::string_view members) {
  return fmt::format("event: {0}\ndata: {{\"type\":\"{0}\",\"sequence_number\":{1}{2}}}\n\n", type, sequence, members);
}

void append_emit(EventBuffer& out, std::optional<Instant> emit) {
  if (!emit) return;
  out.bytes += R"(,"emit_ns":)";
  out.emit_places.push_back(out.bytes.size());
  out.bytes += fmt::to_string(emit->time_since_epoch().count());
}

std::string usage_text(const UsageCounts* usage) {
  if (!usage) return "null";
  return fmt::format(
      R"({{"input_tokens":{},"input_tokens_details":{{"cached_tokens":{}}},"output_tokens":{},"total_tokens":{}}})",
      usage->prompt, usage->cached.value_or(0), usage->completion, usage->prompt + usage->completion);
}

}  // namespace

ResponsesText::ResponsesText(std::uint64_t number, std::int64_t created, std::string_view model)
    : number_(number), created_(created), model_(quoted(model)) {}

std::string ResponsesText::response(std::string_view status, std::string_view reason, std::string_view output,
                                    const UsageCounts* usage) const {
  const std::string details = reason.empty() ? "null" : fmt::format(R"({{"reason":{}}})", quoted(reason));
  return fmt::format(
      R"({{"id":"resp_{}","object":"response","created_at":{},"status":"{}","error":null,"incomplete_details":{},)"
      R"("model":{},"output":[{}],"usage":{})",
      number_, created_, status, details, model_, output, usage_text(usage));
}

std::string ResponsesText::ended(std::string_view reason, std::string_view output, const UsageCounts* usage) const {
  return reason == "length" ? response("incomplete", "max_output_tokens", output, usage)
                            : response("completed", "", output, usage);
}

void ResponsesText::created(std::string& out) const {
  append_chunk(out, event_of("response.created", 0,
                             fmt::format(R"(,"response":{}}})", response("in_progress", "", "", nullptr))));
}

void ResponsesText::token(EventBuffer& out, const TokenEvent& event) const {
  EventBuffer one;
  const std::string_view type = event.is_reasoning ? "response.reasoning_text.delta" : "response.output_text.delta";
  one.bytes = fmt::format(
      "event: {0}\ndata: {{\"type\":\"{0}\",\"sequence_number\":{1},\"item_id\":\"{2}_{3}\",\"output_index\":{4},"
      "\"content_index\":0,\"delta\":\"",
      type, event.first_token + 1, event.is_reasoning ? "rs" : "msg", number_, event.is_reasoning ? 0 : 1);
  append_words(one.bytes, event.text_seed, event.first_token, event.tokens);
  one.bytes += '"';
  append_emit(one, event.emit);
  one.bytes += "}\n\n";
  fmt::format_to(std::back_inserter(out.bytes), "{:x}\r\n", one.bytes.size());
  for (const std::size_t place : one.emit_places) out.emit_places.push_back(out.bytes.size() + place);
  out.bytes += one.bytes;
  out.bytes += "\r\n";
}

void ResponsesText::end(std::string& out, std::uint64_t tokens, std::string_view reason, const UsageCounts* usage,
                        const std::optional<Truth>& truth) const {
  const std::string_view type = reason == "length" ? "response.incomplete" : "response.completed";
  append_chunk(out, event_of(type, tokens + 1,
                             fmt::format(R"(,"response":{}}}{})", ended(reason, "", usage), truth_text(truth))));
}

void ResponsesText::body(EventBuffer& out, std::string_view content, std::string_view reasoning,
                         std::string_view reason, const UsageCounts* usage, const std::optional<Truth>& truth,
                         std::optional<Instant> emit) const {
  std::string output;
  if (!reasoning.empty()) {
    output = fmt::format(
        R"({{"type":"reasoning","id":"rs_{}","summary":[],"content":[{{"type":"reasoning_text","text":{}}}]}},)",
        number_, quoted(reasoning));
  }
  output += fmt::format(
      R"({{"type":"message","id":"msg_{}","status":"completed","role":"assistant","content":[{{"type":"output_text",)"
      R"("annotations":[],"text":{}}}]}})",
      number_, quoted(content));
  out.bytes += ended(reason, output, usage) + truth_text(truth);
  append_emit(out, emit);
  out.bytes += '}';
}

void embeddings_body(EventBuffer& out, std::string_view model, std::uint64_t vectors, std::uint64_t seed,
                     const UsageCounts* usage, const std::optional<Truth>& truth, std::optional<Instant> emit) {
  out.bytes += R"({"object":"list","data":[)";
  for (std::uint64_t i = 0; i < vectors; ++i) {
    Rng values(seed, 0, i);
    std::string numbers;
    for (int k = 0; k < kDimensions; ++k) numbers += fmt::format("{}{:.6f}", k ? "," : "", values.uniform() - 0.5);
    out.bytes += fmt::format(R"({}{{"object":"embedding","index":{},"embedding":[{}]}})", i ? "," : "", i, numbers);
  }
  out.bytes += fmt::format(R"(],"model":{})", quoted(model));
  if (usage) out.bytes += fmt::format(R"(,"usage":{{"prompt_tokens":{0},"total_tokens":{0}}})", usage->prompt);
  out.bytes += truth_text(truth);
  append_emit(out, emit);
  out.bytes += '}';
}

}  // namespace scoville::endpoint
