#include "load/dialects.hpp"
#include "load/openai.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

/// {"type":"image_url","image_url":{"url":…}} of the chat API is {"type":"input_image","image_url":…} here, and a text
/// part says whose it is.
json::value part_of(const json::value& chat_part, bool is_answer) {
  const json::object* const part = chat_part.if_object();
  const json::value* const type = part ? part->if_contains("type") : nullptr;
  if (!type || !type->is_string()) return chat_part;
  json::object out = *part;
  if (type->get_string() == "text") {
    out["type"] = is_answer ? "output_text" : "input_text";
  } else if (type->get_string() == "image_url") {
    out["type"] = "input_image";
    const json::value* const image = part->if_contains("image_url");
    const json::value* const url = image && image->is_object() ? image->get_object().if_contains("url") : nullptr;
    if (url) out["image_url"] = *url;
  }
  return out;
}

/// Messages of the chat API as input items: they differ in the parts of a content alone.
json::value input_of(const dataset::Prompt& prompt) {
  if (prompt.messages_json.empty()) return json::string(prompt.text);
  json::value messages = json::parse(prompt.messages_json);
  if (!messages.is_array()) return messages;
  for (json::value& each : messages.get_array()) {
    json::object* const message = each.if_object();
    json::value* const content = message ? message->if_contains("content") : nullptr;
    if (!content || !content->is_array()) continue;
    const json::value* const role = message->if_contains("role");
    const bool is_answer = role && role->is_string() && role->get_string() == "assistant";
    for (json::value& part : content->get_array()) part = part_of(part, is_answer);
  }
  return messages;
}

/// What an event is called decides whose text its `delta` is. Sound comes as base64, and is none.
void read_delta(std::string_view type, const JsonObject& event, Chunk& out) {
  if (!type.ends_with(".delta") || type == "response.audio.delta") return;
  const std::string_view text = text_at(event, "delta").value_or("");
  if (text.empty()) return;
  ChoiceDelta& delta = out.choices.emplace_back();
  delta.has_token = true;
  if (type == "response.output_text.delta") {
    delta.answer = text;
  } else if (type.find("reasoning") != std::string_view::npos) {
    delta.reasoning = text;
  }
}

/// The text of one item of `output`, where all of it comes in one body.
void read_item(const JsonObject& item, ChoiceDelta& delta, std::string& answer, std::string& reasoning) {
  const bool is_thought = text_at(item, "type") == "reasoning";
  for (const char* list : {"content", "summary"}) {
    const auto parts = array_at(item, list);
    if (!parts) continue;
    for (const Json each : *parts) {
      JsonObject part;
      if (each.get(part) != simdjson::SUCCESS) continue;
      (is_thought ? reasoning : answer) += text_at(part, "text").value_or("");
    }
  }
  delta.has_token = delta.has_token || !text_at(item, "arguments").value_or("").empty();
}

void read_output(const JsonObject& response, Chunk& out) {
  const auto items = array_at(response, "output");
  if (!items || items->size() == 0) return;
  ChoiceDelta& delta = out.choices.emplace_back();
  std::string& answer = out.joined.emplace_back();
  std::string& reasoning = out.joined.emplace_back();
  for (const Json each : *items) {
    JsonObject item;
    if (each.get(item) == simdjson::SUCCESS) read_item(item, delta, answer, reasoning);
  }
  delta.answer = answer;
  delta.reasoning = reasoning;
  delta.has_token = delta.has_token || !answer.empty() || !reasoning.empty();
}

void read_usage(const JsonObject& response, Chunk& out) {
  const auto usage = object_at(response, "usage");
  if (!usage) return;
  out.prompt_tokens = integer_at(*usage, "input_tokens");
  out.completion_tokens = integer_at(*usage, "output_tokens");
  if (const auto details = object_at(*usage, "input_tokens_details"))
    out.cached_tokens = integer_at(*details, "cached_tokens");
}

/// The reason of a response that is over: of an incomplete one its own, else its status ("completed", "cancelled").
std::string_view reason_of(const JsonObject& response) {
  const std::string_view status = text_at(response, "status").value_or("");
  const auto details = object_at(response, "incomplete_details");
  return details ? text_at(*details, "reason").value_or(status) : status;
}

void read_failure(const JsonObject& response, Chunk& out) {
  if (read_error(response, out)) return;
  out.is_error = true;
  out.error_message = text_at(response, "status").value_or("failed");
}

/// A response object: the one JSON body, or what the last event of a stream holds.
void read_response(const JsonObject& response, Chunk& out) {
  const std::string_view status = text_at(response, "status").value_or("");
  if (status == "failed" || object_at(response, "error")) return read_failure(response, out);
  read_usage(response, out);
  if (status != "completed" && status != "incomplete" && status != "cancelled") return;
  if (out.choices.empty()) out.choices.emplace_back();
  out.choices.front().finish_reason = reason_of(response);
  out.choices.front().has_finish = true;
}

/// OpenAI's Responses API: events that say by `type` what they are; one of three of them ends the stream, and no
/// "[DONE]" need follow it.
class OpenAiResponses final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/v1/responses"; }
  bool has_end_frame() const override { return true; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    if (!prompt.body_json.empty()) return given_body(prompt, shape, {{"stream", true}});
    json::object body{{"model", model_of(prompt, shape)}, {"input", input_of(prompt)}, {"stream", true}};
    if (const std::uint32_t limit = token_limit(prompt, shape)) body["max_output_tokens"] = limit;
    if (shape.ignore_eos) body["ignore_eos"] = true;  // vLLM's and SGLang's
    if (shape.temperature) body["temperature"] = *shape.temperature;
    if (shape.top_p) body["top_p"] = *shape.top_p;
    return with_extra(std::move(body), shape);
  }

  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS) return;
    const std::string_view type = text_at(root, "type").value_or("");
    if (!type.starts_with("response.")) {
      if (read_error(root, out)) return;
      read_output(root, out);
      read_response(root, out);
      return;
    }
    out.emit_ns = integer_at(root, "emit_ns");
    if (type == "response.completed" || type == "response.incomplete" || type == "response.failed") {
      out.is_end = true;
      if (const auto response = object_at(root, "response")) read_response(*response, out);
      if (type == "response.failed" && !out.is_error) read_failure(root, out);
    } else {
      read_delta(type, root, out);
    }
  }
};

}  // namespace

std::unique_ptr<Dialect> make_openai_responses() { return std::make_unique<OpenAiResponses>(); }

}  // namespace scoville::load
