#include "endpoint/engine_request.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace scoville::endpoint {
namespace {

ApiError bad_parameter(std::string_view name, std::string_view expected) {
  return {400, fmt::format("'{}' must be {}", name, expected), "invalid_request_error", std::string(name), {}};
}

const json::value* member(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  return found && !found->is_null() ? found : nullptr;
}

/// Contents that are text, or parts of which some are text.
std::string content_of(const json::value& content) {
  if (content.is_string()) return std::string(content.as_string());
  std::string all;
  if (!content.is_array()) return all;
  for (const json::value& part : content.as_array()) {
    const json::value* const text = part.is_object() ? member(part.as_object(), "text") : nullptr;
    if (text && text->is_string()) all += text->as_string();
  }
  return all;
}

std::variant<json::array, ApiError> messages_of(const json::object& body) {
  json::array made;
  const json::value* const messages = member(body, "messages");
  if (!messages || !messages->is_array()) return bad_parameter("messages", "a non-empty array");
  for (const json::value& each : messages->as_array()) {
    const json::object* const object = each.if_object();
    const json::value* const role = object ? member(*object, "role") : nullptr;
    if (!role || !role->is_string()) return bad_parameter("messages", "an array of objects with a role");
    const json::value* const content = member(*object, "content");
    made.push_back(json::object{{"role", *role}, {"content", content ? content_of(*content) : std::string()}});
  }
  return made;
}

/// One prompt, or several: a text, token ids, or a list of either.
std::vector<json::object> prompts_of(const json::value& prompt) {
  const auto one = [](const json::value& each) {
    return each.is_string() ? json::object{{"prompt", each}} : json::object{{"ids", each}};
  };
  if (!prompt.is_array() || prompt.as_array().front().is_number()) return {one(prompt)};
  std::vector<json::object> all;
  for (const json::value& each : prompt.as_array()) all.push_back(one(each));
  return all;
}

/// What the client said of sampling. OpenAI's default of temperature is 1.
std::optional<ApiError> add_sampling(const json::object& body, std::uint64_t number, json::object& line) {
  line["temperature"] = 1;
  line["seed"] = number;
  for (const char* const key : {"temperature", "top_p", "seed"}) {
    const json::value* const found = member(body, key);
    if (found && !found->is_number()) return bad_parameter(key, "a number");
    if (found) line[key] = *found;
  }
  return std::nullopt;
}

json::object parsed(const std::string& body) {
  json::error_code wrong;
  json::value read = json::parse(body, wrong);
  return !wrong && read.is_object() ? std::move(read.as_object()) : json::object();
}

}  // namespace

std::variant<std::vector<json::object>, ApiError> engine_lines(const GenerationRequest& request,
                                                               const std::string& body, std::uint64_t number) {
  const json::object object = parsed(body);
  std::vector<json::object> prompts;
  if (request.api == Api::chat) {
    auto messages = messages_of(object);
    if (auto* wrong = std::get_if<ApiError>(&messages)) return std::move(*wrong);
    prompts.push_back({{"messages", std::get<json::array>(std::move(messages))}});
  } else if (const json::value* prompt = member(object, "prompt")) {
    prompts = prompts_of(*prompt);
  } else {
    return bad_parameter("prompt", "a string, an array of strings or an array of token ids");
  }
  json::object common{{"ignore_eos", request.ignore_eos}};
  if (request.max_tokens) common["max_tokens"] = *request.max_tokens;
  if (auto wrong = add_sampling(object, number, common)) return std::move(*wrong);
  std::vector<json::object> lines;
  for (const json::object& prompt : prompts) {
    for (std::uint64_t i = 0; i < request.choices / prompts.size(); ++i) {
      json::object& line = lines.emplace_back(prompt);
      for (const auto& [key, value] : common) line[key] = value;
      json::error_code wrong;
      const auto seed = line["seed"].to_number<std::uint64_t>(wrong);
      if (wrong) return bad_parameter("seed", "a whole number of 0 or more");
      line["seed"] = seed + i;
    }
  }
  return lines;
}

std::variant<json::object, ApiError> tokenize_line(const std::string& body) {
  const json::object object = parsed(body);
  json::object line{{"tokenize", true}};
  if (const json::value* special = member(object, "add_special_tokens"); special && special->is_bool()) {
    line["special"] = *special;
  }
  if (member(object, "messages")) {
    auto messages = messages_of(object);
    if (auto* wrong = std::get_if<ApiError>(&messages)) return std::move(*wrong);
    line["messages"] = std::get<json::array>(std::move(messages));
    return line;
  }
  const json::value* const prompt = member(object, "prompt");
  if (!prompt || !prompt->is_string()) return bad_parameter("prompt", "a string, or 'messages' an array");
  line["prompt"] = *prompt;
  return line;
}

ApiError api_error_of(const json::object& error) {
  const json::value* const reason = member(error, "reason");
  const json::value* const message = member(error, "message");
  ApiError made;
  if (message && message->is_string()) made.message = message->as_string();
  if (reason && *reason == json::value("context_length")) made.code = "context_length_exceeded";
  return made;
}

}  // namespace scoville::endpoint
