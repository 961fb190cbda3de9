#include "load/request_body.hpp"

namespace scoville::load {

std::uint32_t token_limit(const dataset::Prompt& prompt, const plan::RequestShape& shape) {
  return prompt.max_tokens != 0 ? prompt.max_tokens : shape.max_tokens;
}

json::value chat_messages(const dataset::Prompt& prompt) {
  if (!prompt.messages_json.empty()) return json::parse(prompt.messages_json);
  return json::array{json::object{{"role", "user"}, {"content", prompt.text}}};
}

std::string with_extra(json::object body, const plan::RequestShape& shape) {
  if (!shape.extra_body.empty()) {
    const json::value extra = json::parse(shape.extra_body);
    for (const auto& [key, value] : extra.as_object()) body[key] = value;
  }
  return json::serialize(body);
}

}  // namespace scoville::load
