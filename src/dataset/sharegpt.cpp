#include <algorithm>

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

enum class Speaker { user, model, system, other };

Speaker speaker_of(std::string_view name) {
  for (const std::string_view each : {"human", "user"}) {
    if (name == each) return Speaker::user;
  }
  for (const std::string_view each : {"gpt", "assistant", "chatgpt", "model", "bot", "bing", "bard"}) {
    if (name == each) return Speaker::model;
  }
  return name == "system" ? Speaker::system : Speaker::other;
}

/// The first of these members that is a text.
std::string_view text_at(const dom::element& row, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    std::string_view text;
    if (row[key].get(text) == SUCCESS) return text;
  }
  return {};
}

struct Said {
  Speaker speaker;
  std::string_view text;
};

std::vector<Said> said_in(const dom::array& list) {
  std::vector<Said> said;
  for (const dom::element each : list) {
    said.push_back({speaker_of(text_at(each, {"from", "role"})), text_at(each, {"value", "content"})});
  }
  return said;
}

Result<Dialogue> dialogue_of(const dom::element& row, std::uint64_t line) {
  if (!row.is_object()) return refuse(Msg::jsonl_not_an_object);
  Dialogue dialogue;
  dialogue.line = line;
  dialogue.id = text_at(row, {"id"});
  dom::array list;
  if (row["conversations"].get(list) != SUCCESS && row["conversation"].get(list) != SUCCESS) {
    return refuse(Msg::dialogue_no_turns);
  }
  const std::vector<Said> said = said_in(list);
  if (said.empty()) return refuse(Msg::dialogue_no_turns);
  std::string_view system;
  std::size_t at = 0;
  for (; at < said.size() && said[at].speaker != Speaker::user; ++at) {
    if (said[at].speaker == Speaker::system) system = said[at].text;
  }
  if (at == said.size() || said[at].text.empty()) return refuse(Msg::dialogue_no_prompt);
  for (; at + 1 < said.size(); at += 2) {
    const Said &user = said[at], &model = said[at + 1];
    if (user.speaker != Speaker::user || model.speaker != Speaker::model) break;
    if (user.text.empty() || model.text.empty()) break;
    DialogueTurn& turn = dialogue.turns.emplace_back();
    turn.text = user.text;
    turn.answer = model.text;
  }
  if (dialogue.turns.empty()) return refuse(Msg::dialogue_no_answer);
  if (!system.empty()) {
    DialogueTurn& first = dialogue.turns.front();
    first.messages_json = message_of("system", system) + ',' + message_of("user", first.text);
    first.text = std::string(system) + "\n\n" + first.text;
  }
  return dialogue;
}

void take(Dialogues& dialogues, const dom::element& row, std::uint64_t line) {
  Result<Dialogue> dialogue = dialogue_of(row, line);
  if (dialogue) {
    dialogues.rows.push_back(std::move(*dialogue));
  } else {
    dialogues.bad.push_back({line, std::nullopt, std::move(dialogue.error().message)});
  }
}

}  // namespace

Result<Dialogues> parse_sharegpt(std::string_view content) {
  content = without_mark(content);
  Dialogues dialogues;
  if (!content.substr(std::min(content.size(), content.find_first_not_of(" \t\r\n"))).starts_with('[')) {
    for_each_json_line(content, dialogues.bad, [&](const JsonLine& line) -> Status {
      take(dialogues, line.value, line.number);
      return Done{};
    });
    return dialogues;
  }
  dom::parser parser;
  dom::element root;
  dom::array rows;
  if (const auto fault = parser.parse(content.data(), content.size()).get(root); fault != SUCCESS) {
    return Error{ErrorCode::invalid_argument, say(Msg::jsonl_not_json, simdjson::error_message(fault))};
  }
  if (root.get(rows) != SUCCESS) return refuse(Msg::dialogue_not_rows);
  std::uint64_t place = 0;
  for (const dom::element row : rows) take(dialogues, row, ++place);
  return dialogues;
}

}  // namespace scoville::dataset
