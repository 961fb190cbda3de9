#include "relay/answer_reader.hpp"

#include <algorithm>
#include <utility>

#include "wire/inflate.hpp"
#include "wire/sse.hpp"
#include "workload/prompt_reader.hpp"

namespace scoville::relay {
namespace {

using workload::member;

void append_text(const json::value* value, std::string& out) {
  if (value && value->is_string()) out += std::string_view(value->as_string());
}

/// Text of a delta's tool calls: names and arguments.
void append_calls(const json::object& delta, std::string& out) {
  const json::value* const calls = delta.if_contains("tool_calls");
  if (!calls || !calls->is_array()) return;
  for (const json::value& each : calls->as_array()) {
    if (!each.is_object()) continue;
    append_text(member(each.as_object(), "function.name"), out);
    append_text(member(each.as_object(), "function.arguments"), out);
  }
}

void append_choices(const json::value* choices, std::string& out) {
  if (!choices || !choices->is_array()) return;
  for (const json::value& each : choices->as_array()) {
    const json::object* const choice = each.if_object();
    if (!choice) continue;
    append_text(choice->if_contains("text"), out);
    const json::value* const delta = choice->if_contains("delta");
    if (!delta || !delta->is_object()) continue;
    for (const char* key : {"reasoning_content", "reasoning", "content", "refusal"}) {
      append_text(delta->as_object().if_contains(key), out);
    }
    append_calls(delta->as_object(), out);
  }
}

/// What one event adds to what clients send back.
std::string content_of_event(const json::object& event) {
  std::string out;
  append_text(member(event, "delta.text"), out);
  const json::value* const choices = event.if_contains("choices");
  if (!choices || !choices->is_array()) return out;
  for (const json::value& each : choices->as_array()) {
    if (each.is_object()) append_text(member(each.as_object(), "delta.content"), out);
  }
  return out;
}

/// What one event adds.
std::string text_of_event(const json::object& event) {
  std::string out;
  append_choices(event.if_contains("choices"), out);
  const json::value* const delta = event.if_contains("delta");
  append_text(delta, out);  // responses
  for (const char* path : {"delta.text", "delta.thinking", "delta.partial_json"}) append_text(member(event, path), out);
  return out;
}

void take_usage(const json::object& event, workload::Usage& usage) {
  for (const char* path : {"usage", "response.usage", "message.usage"}) {
    const json::value* const found = member(event, path);
    if (!found || !found->is_object()) continue;
    const workload::Usage read = workload::read_usage(found->as_object());
    if (read.input) usage.input = read.input;
    if (read.output) usage.output = read.output;
    if (read.cached) usage.cached = read.cached;
  }
}

std::string model_of(const json::object& event) {
  const json::value* const model = event.if_contains("model");
  return model && model->is_string() ? std::string(model->as_string()) : std::string();
}

void take_event(std::string_view data, Instant at, AnswerFacts& facts) {
  if (data == "[DONE]") {
    facts.has_ended = true;
    return;
  }
  const auto event = workload::parse_object(data);
  if (!event) return;
  take_usage(*event, facts.usage);
  if (facts.model.empty()) facts.model = model_of(*event);
  const json::value* const type = event->if_contains("type");
  facts.has_ended = facts.has_ended || (type && (*type == "message_stop" || *type == "response.completed"));
  if (const json::value* const error = event->if_contains("error"); error && !error->is_null()) facts.has_error = true;
  const std::string words = text_of_event(*event);
  if (words.empty()) return;
  if (!facts.first_token) facts.first_token = at;
  ++*facts.chunks;
  facts.text += words;
  facts.content += content_of_event(*event);
}

void read_stream(const Sighting& sighting, std::string_view text, bool is_packed, AnswerFacts& facts) {
  facts.chunks = 0;
  wire::SseParser parser;
  parser.reset(wire::SseParser::Mode::events);
  std::size_t begin = 0;
  const auto feed = [&](std::size_t end, Instant at) {
    const std::string piece(text.substr(begin, end - begin));  // its own, for the parser looks behind the end
    begin = end;
    std::string padded = piece;
    padded.reserve(piece.size() + 64);
    parser.feed(padded, [&](const wire::Frame& frame) { take_event(frame.data, at, facts); });
  };
  for (const Sighting::Piece& each : sighting.pieces) {
    if (!is_packed) feed(std::min(each.end, text.size()), each.at);
  }
  if (begin < text.size()) feed(text.size(), sighting.ended);
  if (is_packed) facts.first_token.reset();  // packed bytes do not say when
  facts.chars = workload::count_chars(facts.text);
}

void read_whole(std::string_view text, AnswerFacts& facts) {
  const auto answer = workload::parse_object(text);
  if (!answer) return;
  facts.has_ended = true;
  take_usage(*answer, facts.usage);
  facts.model = model_of(*answer);
  facts.text = workload::answer_text(*answer);
  facts.content = workload::answer_content(*answer);
  if (!facts.text.empty()) facts.chars = workload::count_chars(facts.text);
  if (facts.usage.input && !facts.usage.output && answer->contains("data")) facts.usage.output = 0;  // an embedding
}

}  // namespace

AnswerFacts read_answer(const Sighting& sighting) {
  AnswerFacts facts;
  if (!sighting.is_answer_whole) return facts;
  const bool is_packed = wire::Inflate::knows(sighting.content_encoding);
  std::string unpacked;
  if (is_packed && !wire::Inflate().feed(sighting.answer, unpacked)) return facts;
  const std::string_view text = is_packed ? std::string_view(unpacked) : std::string_view(sighting.answer);
  if (sighting.content_type.starts_with("text/event-stream")) {
    read_stream(sighting, text, is_packed, facts);
  } else {
    read_whole(text, facts);
  }
  return facts;
}

}  // namespace scoville::relay
