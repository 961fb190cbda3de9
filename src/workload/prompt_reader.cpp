#include "workload/prompt_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <random>

#include "base/sha256.hpp"

namespace scoville::workload {
namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::uint64_t first_64_bits(const std::string& hex) {
  std::uint64_t value = 0;
  std::from_chars(hex.data(), hex.data() + 16, value, 16);
  return value;
}

char letter_of(std::string_view role) {
  if (role == "system" || role == "developer") return 's';
  if (role == "user") return 'u';
  if (role == "assistant" || role == "model") return 'a';
  return role == "tool" || role == "function" ? 't' : 'o';
}

std::string_view text_at(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  return found && found->is_string() ? std::string_view(found->as_string()) : std::string_view();
}

/// Gathers the text of a prompt, and the hashes of what it consists of.
class ShapeMaker {
 public:
  explicit ShapeMaker(const SaltedHash& hash) : hash_(hash) {}

  void add_tools(const json::value& tools) { text_ += compact(tools) + "\n"; }

  void add_message(std::string_view role, const json::object& message) {
    const std::size_t begin = text_.size();
    text_.append(role).append("\n");
    const std::size_t words = text_.size();
    if (const json::value* const content = message.if_contains("content")) add_content(*content);
    if (const json::value* const calls = message.if_contains("tool_calls"); calls && !calls->is_null()) {
      text_ += compact(*calls);
    }
    const auto chars = static_cast<std::uint32_t>(count_chars(std::string_view(text_).substr(words)));
    text_ += '\n';
    shape_.roles += letter_of(role);
    shape_.message_hashes.push_back(hash_.of(text_.substr(begin) + parts_));
    shape_.message_chars.push_back(chars);
    parts_.clear();
  }

  void add_messages(const json::array& messages) {
    for (const json::value& each : messages) {
      const json::object* const message = each.if_object();
      if (message) add_message(text_at(*message, "role"), *message);
    }
  }

  /// A prompt without roles: a text, several, or numbers of tokens.
  void add_plain(const json::value& prompt) {
    const std::size_t begin = text_.size();
    if (prompt.is_string()) text_ += std::string_view(prompt.as_string());
    if (prompt.is_array()) {
      for (const json::value& each : prompt.as_array()) add_piece(each);
    }
    const auto chars = static_cast<std::uint32_t>(count_chars(std::string_view(text_).substr(begin)));
    shape_.roles += 'u';
    shape_.message_hashes.push_back(hash_.of(text_.substr(begin) + parts_));
    shape_.message_chars.push_back(chars);
  }

  PromptShape finish() && {
    shape_.chars = count_chars(text_);
    std::uint64_t chain = 0;
    std::size_t begin = 0, chars = 0;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (!begins_character(text_[at])) continue;
      if (chars == kBlockChars) {
        chain = hash_.chained(chain, std::string_view(text_).substr(begin, at - begin));
        shape_.prefix_hashes.push_back(chain);
        begin = at;
        chars = 0;
      }
      ++chars;
    }
    if (chars == kBlockChars) {
      shape_.prefix_hashes.push_back(hash_.chained(chain, std::string_view(text_).substr(begin)));
    }
    return std::move(shape_);
  }

 private:
  void add_piece(const json::value& piece) {
    if (piece.is_string()) text_ += std::string_view(piece.as_string());
    if (piece.is_number()) {
      ++shape_.token_ids;
      parts_ += compact(piece) + ",";
    }
    if (piece.is_array()) {
      for (const json::value& each : piece.as_array()) add_piece(each);
    }
  }

  /// A text, or a list of parts: those that hold text, and others, of which a hash alone is kept.
  void add_content(const json::value& content) {
    if (content.is_string()) text_ += std::string_view(content.as_string());
    if (!content.is_array()) return;
    for (const json::value& each : content.as_array()) {
      const json::object* const part = each.if_object();
      const json::value* const words = part ? part->if_contains("text") : nullptr;
      if (words && words->is_string()) {
        text_ += std::string_view(words->as_string());
      } else {
        ++shape_.other_parts;
        parts_ += compact(each);
      }
    }
  }

  const SaltedHash& hash_;
  PromptShape shape_;
  std::string text_;
  std::string parts_;  // what is no text of the message under way
};

/// Where clients are known to name a conversation, or who talks.
std::string session_of(const json::object& body, std::string_view field) {
  const auto named = [&](std::string_view path) -> std::string {
    const json::value* const found = path.empty() ? nullptr : member(body, path);
    if (found && found->is_string()) return std::string(found->as_string());
    return found && found->is_number() ? compact(*found) : std::string();
  };
  for (const std::string_view path : {field, std::string_view("session_id"), std::string_view("conversation_id"),
                                      std::string_view("chat_id"), std::string_view("metadata.session_id"),
                                      std::string_view("metadata.conversation_id"), std::string_view("user")}) {
    if (std::string found = named(path); !found.empty()) return found;
  }
  return "";
}

bool is_list_of_messages(const json::value& input) {
  return input.is_array() && !input.as_array().empty() && input.as_array()[0].is_object() &&
         input.as_array()[0].as_object().contains("role");
}

/// Adds the prompt; false where there is none.
bool add_prompt(const json::object& body, ShapeMaker& maker) {
  const auto leading = [&](std::string_view key) {
    if (const json::value* const text = body.if_contains(key); text && !text->is_null()) {
      maker.add_message("system", json::object{{"content", *text}});
    }
  };
  if (const json::value* const messages = body.if_contains("messages"); messages && messages->is_array()) {
    leading("system");
    maker.add_messages(messages->as_array());
    return true;
  }
  if (const json::value* const prompt = body.if_contains("prompt"); prompt && !prompt->is_object()) {
    maker.add_plain(*prompt);
    return true;
  }
  const json::value* const input = body.if_contains("input");
  if (!input || !(input->is_string() || input->is_array())) return false;
  leading("instructions");
  if (is_list_of_messages(*input)) {
    maker.add_messages(input->as_array());
  } else {
    maker.add_plain(*input);
  }
  return true;
}

}  // namespace

SaltedHash::SaltedHash() {
  std::random_device random;
  for (int i = 0; i < 8; ++i) salt_ += fmt::format("{:08x}", random());
}

std::uint64_t SaltedHash::of(std::string_view text) const {
  Sha256 sum;
  sum.add(salt_);
  sum.add(text);
  return first_64_bits(sum.finish());
}

std::uint64_t SaltedHash::chained(std::uint64_t before, std::string_view text) const {
  Sha256 sum;
  sum.add(salt_);
  sum.add(fmt::format("{:016x}", before));
  sum.add(text);
  return first_64_bits(sum.finish());
}

std::uint64_t hash_of_answer(std::string_view content, const SaltedHash& hash) {
  return hash.of("assistant\n" + std::string(content) + "\n");
}

std::uint64_t count_chars(std::string_view utf8) {
  std::uint64_t count = 0;
  for (const char byte : utf8) count += begins_character(byte);
  return count;
}

std::optional<json::object> parse_object(std::string_view line) {
  json::parse_options deep;
  deep.max_depth = 512;
  json::error_code fault;
  json::value value = json::parse(json::string_view(line.data(), line.size()), fault, {}, deep);
  if (fault || !value.is_object()) return std::nullopt;
  return std::move(value.as_object());
}

const json::value* member(const json::object& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  const json::value* const found = object.if_contains(path.substr(0, dot));
  if (dot == std::string_view::npos || !found) return found;
  const json::object* const inner = found->if_object();
  return inner ? member(*inner, path.substr(dot + 1)) : nullptr;
}

std::optional<std::uint32_t> count_at(const json::object& object, std::string_view path) {
  const json::value* const found = member(object, path);
  if (!found || !found->is_number()) return std::nullopt;
  json::error_code fault;
  const auto count = found->to_number<std::uint32_t>(fault);
  return fault ? std::nullopt : std::optional(count);
}

std::optional<ReadRequest> read_request(const json::object& body, const SaltedHash& hash,
                                        std::string_view session_field) {
  ReadRequest read;
  ShapeMaker maker(hash);
  if (const json::value* const tools = body.if_contains("tools"); tools && !tools->is_null()) maker.add_tools(*tools);
  if (!add_prompt(body, maker)) return std::nullopt;
  read.prompt = std::move(maker).finish();
  read.model = text_at(body, "model");
  read.session = session_of(body, session_field);
  const json::value* const stream = body.if_contains("stream");
  read.is_stream = stream && stream->is_bool() && stream->as_bool();
  for (const std::string_view key : {"max_completion_tokens", "max_tokens", "max_output_tokens"}) {
    if (!read.max_tokens) read.max_tokens = count_at(body, key);
  }
  return read;
}

}  // namespace scoville::workload
