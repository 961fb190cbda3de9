#include "dataset/dialogue.hpp"
#include "dataset/json_lines.hpp"
#include "dataset/transcript.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using simdjson::SUCCESS;
using text::Msg;
using text::say;
namespace dom = simdjson::dom;

Error refuse(Msg reason) { return {ErrorCode::invalid_argument, say(reason)}; }

/// What a message says, as text; images and the like are told by `has_more`.
std::string text_of(const dom::element& content, bool& has_more) {
  std::string_view text;
  if (content.get(text) == SUCCESS) return std::string(text);
  std::string all;
  dom::array parts;
  if (content.get(parts) != SUCCESS) return all;
  for (const dom::element part : parts) {
    if (part["text"].get(text) == SUCCESS) {
      all += text;
    } else {
      has_more = true;
    }
  }
  return all;
}

/// Puts messages together to turns.
class TurnReader {
 public:
  Status take(const dom::element& message) {
    std::string_view role;
    if (message["role"].get(role) != SUCCESS) return refuse(Msg::dialogue_bad_message);
    dom::element content, calls;
    const bool has_calls = message["tool_calls"].get(calls) == SUCCESS && !calls.is_null();
    if (role == "tool" || role == "function" || has_calls) return refuse(Msg::dialogue_tools);
    if (message["content"].get(content) != SUCCESS) return refuse(Msg::dialogue_bad_message);
    if (role != "assistant") return take_user(message, role, content);
    bool has_more = false;
    if (!has_user_) return Done{};  // nobody has asked for it
    open_.answer = text_of(content, has_more);
    turns_.push_back(std::move(open_));
    open_ = {};
    has_user_ = false;
    return Done{};
  }

  /// The turns; one that nobody has answered comes last and gets this limit.
  Result<std::vector<DialogueTurn>> finish(std::uint32_t output_tokens) && {
    if (has_user_) {
      open_.output_tokens = output_tokens;
      turns_.push_back(std::move(open_));
    }
    if (turns_.empty()) return refuse(Msg::dialogue_no_prompt);
    return std::move(turns_);
  }

 private:
  Status take_user(const dom::element& message, std::string_view role, const dom::element& content) {
    const std::string text = text_of(content, open_.has_more_than_text);
    const bool is_alone = role == "user" && content.is_string() && open_.messages_json.empty() && open_.text.empty();
    if (is_alone) {
      open_.text = text;
    } else {
      if (open_.messages_json.empty() && !open_.text.empty()) open_.messages_json = message_of("user", open_.text);
      if (!open_.messages_json.empty()) open_.messages_json += ',';
      open_.messages_json += simdjson::minify(message);
      if (!open_.text.empty()) open_.text += "\n\n";
      open_.text += text;
    }
    has_user_ = has_user_ || role == "user";
    return Done{};
  }

  std::vector<DialogueTurn> turns_;
  DialogueTurn open_;
  bool has_user_ = false;
};

Result<Dialogue> dialogue_of(const JsonLine& line) {
  Dialogue dialogue;
  dialogue.line = line.number;
  dom::array list;
  std::uint32_t output_tokens = 0;
  if (line.value.get(list) != SUCCESS) {
    const auto object = object_of(line.value);
    if (!object) return object.error();
    if ((*object)["messages"].get(list) != SUCCESS) return refuse(Msg::jsonl_not_a_list);
    for (const std::string_view key : {"max_tokens", "output_tokens"}) {
      const auto tokens = tokens_at(*object, key);
      if (!tokens) return tokens.error();
      output_tokens = tokens->value_or(output_tokens);
    }
    std::string_view id;
    if ((*object)["id"].get(id) == SUCCESS) dialogue.id = id;
  }
  TurnReader reader;
  for (const dom::element message : list) {
    if (Status taken = reader.take(message); !taken) return taken.error();
  }
  auto turns = std::move(reader).finish(output_tokens);
  if (!turns) return turns.error();
  dialogue.turns = std::move(*turns);
  return dialogue;
}

}  // namespace

Dialogues parse_message_dialogues(std::string_view content) {
  Dialogues dialogues;
  for_each_json_line(content, dialogues.bad, [&](const JsonLine& line) -> Status {
    Result<Dialogue> dialogue = dialogue_of(line);
    if (!dialogue) return dialogue.error();
    dialogues.rows.push_back(std::move(*dialogue));
    return Done{};
  });
  return dialogues;
}

}  // namespace scoville::dataset
