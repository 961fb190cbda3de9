#include "load/request_body.hpp"

namespace scoville::load {

std::uint32_t token_limit(const dataset::Prompt& prompt, const plan::RequestShape& shape) {
  const bool sets_its_own = prompt.max_tokens != 0 || !prompt.body_json.empty();
  return sets_its_own ? prompt.max_tokens : shape.max_tokens;
}

const std::string& model_of(const dataset::Prompt& prompt, const plan::RequestShape& shape) {
  return prompt.model.empty() ? shape.model : prompt.model;
}

json::value chat_messages(const dataset::Prompt& prompt) {
  if (!prompt.messages_json.empty()) return json::parse(prompt.messages_json);
  return json::array{json::object{{"role", "user"}, {"content", prompt.text}}};
}

std::string with_messages(json::object body, const dataset::Prompt& prompt, const plan::RequestShape& shape) {
  const bool is_raw = !prompt.messages_json.empty() && shape.extra_body.find("\"messages\"") == std::string::npos;
  if (!is_raw) {
    body["messages"] = chat_messages(prompt);
    return with_extra(std::move(body), shape);
  }
  const std::string rest = with_extra(std::move(body), shape);  // "{…}", the model in it
  std::string out;
  out.reserve(rest.size() + prompt.messages_json.size() + 16);
  return out.append(R"({"messages":)").append(prompt.messages_json).append(",").append(rest, 1);
}

std::string given_body(const dataset::Prompt& prompt, const plan::RequestShape& shape, const json::object& ours) {
  json::object body = json::parse(prompt.body_json).as_object();
  if (!body.contains("model")) body["model"] = model_of(prompt, shape);
  for (const auto& [key, value] : ours) body[key] = value;
  return with_extra(std::move(body), shape);
}

std::string with_extra(json::object body, const plan::RequestShape& shape) {
  if (!shape.extra_body.empty()) {
    const json::value extra = json::parse(shape.extra_body);
    for (const auto& [key, value] : extra.as_object()) body[key] = value;
  }
  return json::serialize(body);
}

}  // namespace scoville::load
