#include "model/engine_lines.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scoville::torch_probe::model {
namespace {

/// Thrown and caught in this file.
struct Wrong {
  std::string reason, message;
};

[[noreturn]] void wrong(std::string_view key, std::string_view expected) {
  throw Wrong{"bad_request", fmt::format("{}: expected {}", key, expected)};
}

const json::value* member(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  return found && !found->is_null() ? found : nullptr;
}

std::uint64_t whole(const json::object& object, std::string_view key, std::uint64_t otherwise) {
  const json::value* found = member(object, key);
  if (!found) return otherwise;
  json::error_code fault;
  const auto number = found->to_number<std::uint64_t>(fault);
  if (fault) wrong(key, "a whole number of 0 or more");
  return number;
}

double number(const json::object& object, std::string_view key, double otherwise, double least, double most) {
  const json::value* found = member(object, key);
  if (!found) return otherwise;
  json::error_code fault;
  const auto value = found->to_number<double>(fault);
  if (fault || !(value >= least && value <= most)) wrong(key, fmt::format("a number from {} to {}", least, most));
  return value;
}

bool flag(const json::object& object, std::string_view key) {
  const json::value* found = member(object, key);
  if (found && !found->is_bool()) wrong(key, "true or false");
  return found && found->as_bool();
}

std::vector<std::int64_t> ids_of(const json::value& value, std::int64_t vocab) {
  if (!value.is_array()) wrong("ids", "a list of token ids");
  std::vector<std::int64_t> ids;
  for (const json::value& each : value.as_array()) {
    json::error_code fault;
    const auto id = each.to_number<std::int64_t>(fault);
    if (fault || id < 0 || id >= vocab) wrong("ids", fmt::format("token ids from 0 to {}", vocab - 1));
    ids.push_back(id);
  }
  return ids;
}

std::vector<ChatMessage> messages_of(const json::value& value) {
  std::vector<ChatMessage> messages;
  if (!value.is_array()) wrong("messages", "a list of objects with role and content");
  for (const json::value& each : value.as_array()) {
    const json::object* const object = each.if_object();
    const json::value *role = object ? member(*object, "role") : nullptr,
                      *content = object ? member(*object, "content") : nullptr;
    if (!role || !role->is_string() || (content && !content->is_string())) {
      wrong("messages", "a list of objects with role and content");
    }
    messages.push_back({std::string(role->as_string()), content ? std::string(content->as_string()) : ""});
  }
  return messages;
}

std::vector<std::int64_t> tokens_of(const json::object& object, const Tokenizer& tokenizer, std::int64_t vocab) {
  if (const json::value* ids = member(object, "ids")) return ids_of(*ids, vocab);
  const json::value* const messages = member(object, "messages");
  const json::value* const prompt = member(object, "prompt");
  if (!messages && (!prompt || !prompt->is_string())) wrong("prompt", "text, or messages, or ids");
  const bool special = !member(object, "special") || flag(object, "special");
  auto encoded =
      messages ? tokenizer.encode_chat(messages_of(*messages)) : tokenizer.encode(prompt->as_string(), special);
  if (!encoded) throw Wrong{"bad_request", encoded.error().message};
  return *std::move(encoded);
}

Generate generate_of(const json::object& object, std::uint64_t id, std::vector<std::int64_t> prompt,
                     std::int64_t context) {
  const auto limit = whole(object, "max_tokens", 0);
  if (prompt.empty()) throw Wrong{"bad_request", "the prompt has no token"};
  if (prompt.size() + std::max<std::uint64_t>(limit, 1) > static_cast<std::uint64_t>(context)) {
    throw Wrong{"context_length",
                fmt::format("This model's maximum context length is {} tokens. However, you requested {} tokens ({} in "
                            "the prompt, {} in the completion).",
                            context, prompt.size() + limit, prompt.size(), limit)};
  }
  Generate made;
  made.id = id;
  made.prompt = std::move(prompt);
  made.max_tokens = static_cast<std::int64_t>(limit);
  made.sampling.temperature = number(object, "temperature", 0, 0, 100);
  made.sampling.top_p = number(object, "top_p", 1, 0, 1);
  made.sampling.seed = whole(object, "seed", 0);
  made.ignore_eos = flag(object, "ignore_eos");
  made.top = static_cast<std::int64_t>(number(object, "top", 0, 0, 100));
  return made;
}

Asked asked(const json::object& object, const Tokenizer& tokenizer, std::int64_t context, std::int64_t vocab) {
  if (member(object, "cancel")) return Cancel{whole(object, "cancel", 0)};
  if (!member(object, "id")) wrong("id", "a whole number of 0 or more");
  const std::uint64_t id = whole(object, "id", 0);
  std::vector<std::int64_t> tokens = tokens_of(object, tokenizer, vocab);
  if (flag(object, "tokenize")) return Tokenize{id, std::move(tokens)};
  return generate_of(object, id, std::move(tokens), context);
}

std::string line_of(json::object object) { return json::serialize(object) + "\n"; }

}  // namespace

Asked read_line(std::string_view line, const Tokenizer& tokenizer, std::int64_t context, std::int64_t vocab) {
  json::error_code fault;
  const json::value read = json::parse({line.data(), line.size()}, fault);
  if (fault || !read.is_object()) return Refused{nullptr, "bad_request", "a JSON object on one line expected"};
  const json::object& object = read.as_object();
  try {
    return asked(object, tokenizer, context, vocab);
  } catch (const Wrong& why) {
    const json::value* const id = member(object, "id");
    return Refused{id ? *id : json::value(), why.reason, why.message};
  }
}

std::string token_line(std::uint64_t id, const TokenMade& made) {
  std::string top;
  for (const auto& [token, log] : made.top) top += fmt::format("{}[{},{:.6f}]", top.empty() ? "" : ",", token, log);
  return fmt::format("{{\"id\":{},\"token\":{},\"text\":{}{}}}\n", id, made.token,
                     json::serialize(json::string(made.text)), made.top.empty() ? "" : ",\"top\":[" + top + "]");
}

std::string accepted_line(std::uint64_t id, std::size_t prompt_tokens) {
  return line_of({{"id", id}, {"accepted", {{"prompt_tokens", prompt_tokens}}}});
}

std::string done_line(std::uint64_t id, const char* how, std::string_view text, std::int64_t prompt_tokens,
                      std::int64_t completion_tokens) {
  json::object object{
      {"id", id}, {"done", how}, {"prompt_tokens", prompt_tokens}, {"completion_tokens", completion_tokens}};
  if (!text.empty()) object["text"] = json::string_view(text.data(), text.size());
  return line_of(std::move(object));
}

std::string ids_line(const Tokenize& answer) {
  return line_of({{"id", answer.id}, {"ids", json::array(answer.ids.begin(), answer.ids.end())}});
}

std::string error_line(const Refused& refused) {
  return line_of({{"id", refused.id}, {"error", {{"reason", refused.reason}, {"message", refused.message}}}});
}

}  // namespace scoville::torch_probe::model
