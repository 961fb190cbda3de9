#include "dataset/transcript.hpp"

#include "base/json.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

Error refuse(Msg reason) { return {ErrorCode::invalid_argument, say(reason)}; }

/// A message's content: a text, or parts that are all text.
Result<std::string> content_of(const json::value& message) {
  const json::object* fields = message.if_object();
  const json::value* content = fields ? fields->if_contains("content") : nullptr;
  if (!content) return refuse(Msg::dialogue_bad_message);
  if (content->is_string()) return std::string(content->get_string());
  if (!content->is_array()) return refuse(Msg::dialogue_bad_message);
  std::string text;
  for (const json::value& part : content->get_array()) {
    const json::object* object = part.if_object();
    const json::value* words = object ? object->if_contains("text") : nullptr;
    if (!words || !words->is_string()) return refuse(Msg::images_need_chat);
    text += words->get_string();
  }
  return text;
}

}  // namespace

std::string message_of(std::string_view role, std::string_view text) {
  std::string message = R"({"role":")";
  ((message += role) += R"(","content":)") += json::serialize(json::string(text));
  return message += '}';
}

void Transcript::add(std::string_view role, std::string_view text) {
  if (!out_.empty()) out_ += api_ == Api::chat ? "," : "\n\n";
  if (api_ == Api::chat) {
    out_ += message_of(role, text);
  } else {
    out_ += text;
  }
}

void Transcript::user(std::string_view text) { add("user", text); }

void Transcript::assistant(std::string_view answer) { add("assistant", answer); }

void Transcript::messages(std::string_view json, std::string_view text) {
  if (!out_.empty()) out_ += api_ == Api::chat ? "," : "\n\n";
  out_ += api_ == Api::chat ? json : text;
}

void Transcript::into(Prompt& prompt) && {
  if (api_ == Api::chat) {
    prompt.messages_json = '[' + out_ + ']';
  } else {
    prompt.text = std::move(out_);
  }
}

Result<std::string> plain_text_of(std::string_view messages_json) {
  json::error_code fault;
  const json::value messages = json::parse(messages_json, fault);
  if (fault || !messages.is_array()) return refuse(Msg::jsonl_not_a_list);
  std::string text;
  for (const json::value& message : messages.get_array()) {
    const Result<std::string> content = content_of(message);
    if (!content) return content.error();
    if (!text.empty()) text += "\n\n";
    text += *content;
  }
  return text;
}

}  // namespace scoville::dataset
