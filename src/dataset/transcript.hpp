#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "dataset/prompt_source.hpp"
#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// A conversation as it is sent: OpenAI's messages for a chat API, else its plain text with blank lines between, so
/// that each turn's prompt begins with the one before.
class Transcript {
 public:
  explicit Transcript(Api api) : api_(api) {}

  void user(std::string_view text);
  /// Messages of other shapes: their JSON objects with commas between, and the same as text.
  void messages(std::string_view json, std::string_view text);
  void assistant(std::string_view answer);

  /// Into Prompt::text or Prompt::messages_json.
  void into(Prompt& prompt) &&;

 private:
  void add(std::string_view role, std::string_view text);

  Api api_;
  std::string out_;
};

/// {"role": …, "content": …}
std::string message_of(std::string_view role, std::string_view text);

/// The text of OpenAI messages, blank lines between them. An Error where one holds more than text, or none.
Result<std::string> plain_text_of(std::string_view messages_json);

}  // namespace scoville::dataset
