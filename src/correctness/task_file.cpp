#include "correctness/task_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/rng.hpp"
#include "base/sha256.hpp"
#include "text/catalogue.hpp"

namespace scoville::correctness {
namespace {

using text::Msg;
using text::say;

Error bad(std::string_view member, const std::string& what) {
  return {ErrorCode::invalid_argument, fmt::format("{}: {}", member, what)};
}
Error bad(std::string_view member, Msg what) { return bad(member, say(what)); }

const json::value* member(const json::object& line, std::string_view name) {
  const json::value* const found = line.if_contains(name);
  return found && !found->is_null() ? found : nullptr;
}

/// One expectation as text; a number in its shortest form.
std::optional<std::string> as_text(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_number()) return compact(value);
  return std::nullopt;
}

Result<std::vector<std::string>> read_expected(const json::object& line) {
  const json::value* const given = member(line, "expected");
  std::vector<std::string> out;
  if (given && given->is_array()) {
    for (const json::value& each : given->get_array()) {
      std::optional<std::string> text = as_text(each);
      if (!text) return bad("expected", Msg::task_expects_expected);
      out.push_back(std::move(*text));
    }
  } else if (given) {
    std::optional<std::string> text = as_text(*given);
    if (text) out.push_back(std::move(*text));
  }
  if (out.empty() || std::any_of(out.begin(), out.end(), [](const std::string& each) { return each.empty(); }))
    return bad("expected", Msg::task_expects_expected);
  return out;
}

Status read_prompt(const json::object& line, bool takes_messages, dataset::Prompt& prompt) {
  const json::value* const question = member(line, "question");
  const json::value* const messages = member(line, "messages");
  if (question && messages) return bad("messages", Msg::task_question_or_messages);
  if (messages) {
    const json::array* const list = messages->if_array();
    const bool is_good = list && !list->empty() && std::all_of(list->begin(), list->end(), [](const json::value& each) {
                           return each.is_object();
                         });
    if (!is_good) return bad("messages", Msg::task_expects_messages);
    if (!takes_messages) return bad("messages", Msg::task_messages_need_chat);
    prompt.messages_json = compact(*messages);
  } else {
    if (!question || !question->is_string() || question->get_string().empty())
      return bad("question", Msg::expected_text);
    prompt.text = question->get_string();
  }
  prompt.hash = hash_bytes(prompt.messages_json.empty() ? prompt.text : prompt.messages_json);
  if (const json::value* const limit = member(line, "max_tokens")) {
    json::error_code fault;
    const auto tokens = limit->to_number<std::uint32_t>(fault);
    if (fault || tokens == 0) return bad("max_tokens", say(Msg::expected_count_from, 1));
    prompt.max_tokens = tokens;
  }
  return Done{};
}

Result<Task> read_task(const json::object& line, bool takes_messages) {
  Task task;
  for (const auto& [name, value] : line) {
    constexpr std::string_view kKnown[] = {"id",      "question",  "messages",   "expected",
                                           "matcher", "tolerance", "max_tokens", "note"};
    if (std::find(std::begin(kKnown), std::end(kKnown), std::string_view(name)) == std::end(kKnown))
      return bad(std::string_view(name), Msg::task_member_unknown);
  }
  if (const json::value* const id = member(line, "id")) {
    const std::optional<std::string> text = as_text(*id);
    if (!text || text->empty()) return bad("id", Msg::expected_text);
    task.id = *text;
  }
  if (Status prompt = read_prompt(line, takes_messages, task.prompt); !prompt) return prompt.error();
  const json::value* const matcher = member(line, "matcher");
  const auto kind = matcher && matcher->is_string() ? matcher_from(matcher->get_string()) : std::nullopt;
  if (!kind) return bad("matcher", Msg::task_expects_matcher);
  task.kind = *kind;
  const Result<std::vector<std::string>> expected = read_expected(line);
  if (!expected) return expected.error();
  std::optional<double> tolerance;
  if (const json::value* const given = member(line, "tolerance")) {
    json::error_code fault;
    tolerance = given->to_number<double>(fault);
    if (fault || *tolerance < 0 || task.kind != MatcherKind::number)
      return bad("tolerance", Msg::task_expects_tolerance);
  }
  Result<std::unique_ptr<Matcher>> made = Matcher::make(task.kind, *expected, tolerance);
  if (!made) return bad("expected", made.error().message);
  task.matcher = std::move(*made);
  return task;
}

}  // namespace

Result<TaskFile> parse_tasks(std::string name, std::string_view content, bool takes_messages) {
  TaskFile file;
  file.name = std::move(name);
  file.sha256 = sha256(content);
  std::set<std::string> ids;
  if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
  for (std::size_t number = 1; !content.empty(); ++number) {
    const std::string_view line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(content.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto fail = [&](const std::string& why) {
      return Error{ErrorCode::invalid_argument, say(Msg::task_line, file.name, number, why)};
    };
    json::error_code fault;
    const json::value value = json::parse(line, fault);
    if (fault) return fail(say(Msg::task_not_json, fault.message()));
    if (!value.is_object()) return fail(say(Msg::task_not_object));
    Result<Task> task = read_task(value.get_object(), takes_messages);
    if (!task) return fail(task.error().message);
    if (task->id.empty()) task->id = std::to_string(number);
    if (!ids.insert(task->id).second) return fail(say(Msg::task_id_twice, task->id));
    file.tasks.push_back(std::move(*task));
  }
  if (file.tasks.empty()) return Error{ErrorCode::invalid_argument, say(Msg::task_none, file.name)};
  return file;
}

Result<TaskFile> read_tasks(const std::string& path, bool takes_messages) {
  const Result<std::string> content = read_file(path);
  if (!content) return Error{ErrorCode::invalid_argument, content.error().message};
  return parse_tasks(path, *content, takes_messages);
}

}  // namespace scoville::correctness
