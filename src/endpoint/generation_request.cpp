#include "endpoint/generation_request.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <string_view>

#include "endpoint/words.hpp"

namespace scoville::endpoint {
namespace {

namespace dom = simdjson::dom;

ApiError bad_body(std::string message) { return {400, std::move(message), "invalid_request_error", {}, {}}; }

std::optional<ApiError> parse(dom::parser& parser, std::string& body, dom::object& out) {
  body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
  dom::element root;
  if (const auto error = parser.parse(body.data(), body.size(), false).get(root)) {
    return bad_body(fmt::format("The body is not valid JSON: {}", simdjson::error_message(error)));
  }
  if (root.get(out)) return bad_body("The body is not a JSON object");
  return std::nullopt;
}

ApiError bad_parameter(std::string_view name, std::string_view expected) {
  return {400, fmt::format("'{}' must be {}", name, expected), "invalid_request_error", std::string(name), {}};
}

/// The member, or nullopt where it is absent or null.
std::optional<dom::element> member(const dom::object& object, const char* name) {
  dom::element found;
  if (object[name].get(found) || found.is_null()) return std::nullopt;
  return found;
}

bool flag(const dom::object& object, const char* name, bool otherwise = false) {
  bool value = otherwise;
  if (const auto found = member(object, name); found && found->get(value)) return otherwise;
  return value;
}

/// Reads a positive whole number, if there is one.
std::optional<ApiError> read_positive(const dom::object& object, const char* name, std::optional<std::uint64_t>& out) {
  const auto found = member(object, name);
  if (!found) return std::nullopt;
  std::uint64_t value = 0;
  if (found->get(value) || value == 0) return bad_parameter(name, "a positive integer");
  out = value;
  return std::nullopt;
}

/// Hands over every text of a message list: contents that are strings, and text parts of contents that are arrays.
template <class Each>
std::optional<ApiError> read_messages(const dom::element& messages, const char* name, Each each) {
  dom::array list;
  if (messages.get(list) || list.size() == 0) return bad_parameter(name, "a non-empty array");
  for (const dom::element message : list) {
    dom::object object;
    if (message.get(object)) return bad_parameter(name, "an array of objects");
    const auto content = member(object, "content");
    std::string_view text;
    dom::array parts;
    if (!content) continue;
    if (!content->get(text)) {
      each(text);
    } else if (!content->get(parts)) {
      for (const dom::element part : parts) {
        if (!part["text"].get(text)) each(text);
      }
    } else {
      return bad_parameter(name, "an array of objects whose content is text or parts");
    }
  }
  return std::nullopt;
}

/// A text, token ids, or several of either: each of those makes its own choices.
std::optional<ApiError> read_prompt(const dom::element& prompt, const char* name, GenerationRequest& request) {
  const auto wrong = [&] { return bad_parameter(name, "a string, an array of strings or an array of token ids"); };
  std::string_view text;
  if (!prompt.get(text)) {
    request.words = count_words(text);
    return std::nullopt;
  }
  dom::array list;
  if (prompt.get(list) || list.size() == 0) return wrong();
  dom::array ids;
  if (list.at(0).is_uint64() || list.at(0).is_int64()) {
    request.words = list.size();
    request.is_token_ids = true;
    return std::nullopt;
  }
  for (const dom::element each : list) {
    if (!each.get(text)) {
      request.words += count_words(text);
    } else if (!each.get(ids)) {
      request.words += ids.size();
      request.is_token_ids = true;
    } else {
      return wrong();
    }
  }
  request.choices = list.size();
  return std::nullopt;
}

std::optional<ApiError> read_text(const dom::object& object, GenerationRequest& request) {
  const char* const name = request.api == Api::chat ? "messages" : request.api == Api::completions ? "prompt" : "input";
  const auto found = member(object, name);
  if (!found) return ApiError{400, fmt::format("'{}' is missing", name), "invalid_request_error", name, {}};
  const bool takes_prompt = request.api == Api::completions || request.api == Api::embeddings;
  if (takes_prompt) return read_prompt(*found, name, request);
  if (std::string_view text; request.api == Api::responses && !found->get(text)) {
    request.words = count_words(text);
    return std::nullopt;
  }
  return read_messages(*found, name, [&](std::string_view text) { request.words += count_words(text); });
}

std::optional<ApiError> read_limits(const dom::object& object, GenerationRequest& request) {
  std::optional<std::uint64_t> n;
  if (request.api == Api::embeddings) return std::nullopt;
  if (request.api == Api::responses) return read_positive(object, "max_output_tokens", request.max_tokens);
  if (auto error = read_positive(object, "max_tokens", request.max_tokens)) return error;
  if (auto error = read_positive(object, "max_completion_tokens", request.max_tokens)) return error;
  if (auto error = read_positive(object, "n", n)) return error;
  if (n && *n > 128) return bad_parameter("n", "at most 128");
  request.choices *= n.value_or(1);
  return std::nullopt;
}

}  // namespace

std::variant<GenerationRequest, ApiError> read_generation(dom::parser& parser, Api api, std::string& body) {
  GenerationRequest request;
  request.api = api;
  dom::object object;
  if (auto error = parse(parser, body, object)) return std::move(*error);
  if (auto error = read_text(object, request)) return std::move(*error);
  if (auto error = read_limits(object, request)) return std::move(*error);
  std::string_view model;
  if (const auto found = member(object, "model"); found && found->get(model)) return bad_parameter("model", "a string");
  request.model = model;
  request.stream = api != Api::embeddings && flag(object, "stream");
  request.ignore_eos = flag(object, "ignore_eos");
  dom::object options;
  if (const auto found = member(object, "stream_options"); found && !found->get(options)) {
    request.include_usage = flag(options, "include_usage");
    request.continuous_usage = flag(options, "continuous_usage_stats");
  }
  return request;
}

std::variant<TokenizeRequest, ApiError> read_tokenize(dom::parser& parser, std::string& body) {
  TokenizeRequest request;
  dom::object object;
  if (auto error = parse(parser, body, object)) return std::move(*error);
  request.add_special_tokens = flag(object, "add_special_tokens", true);
  const auto add = [&](std::string_view text) {
    for_each_word(text, [&](std::string_view word) { request.tokens.push_back(token_id(word)); });
  };
  if (const auto messages = member(object, "messages")) {
    request.is_chat = true;
    if (auto error = read_messages(*messages, "messages", add)) return std::move(*error);
    return request;
  }
  std::string_view prompt;
  const auto found = member(object, "prompt");
  if (!found || found->get(prompt)) return bad_parameter("prompt", "a string, or 'messages' an array");
  add(prompt);
  return request;
}

}  // namespace scoville::endpoint
