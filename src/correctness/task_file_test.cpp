#include "correctness/task_file.hpp"

#include <doctest/doctest.h>

#include "base/sha256.hpp"

namespace scoville::correctness {
namespace {

std::string refusal(const std::string& line, bool takes_messages = true) {
  const auto file = parse_tasks("t.jsonl", "\n" + line + "\n", takes_messages);
  return file.ok() ? "" : file.error().message;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a line is a question, what is expected, and how it is held against the answer") {
  const std::string content =
      "\xEF\xBB\xBF{\"question\": \"2+2?\", \"expected\": 4, \"matcher\": \"number\", \"max_tokens\": 8}\r\n"
      "\n"
      "{\"id\": \"m\", \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}], \"expected\": [\"a\", \"b\"], "
      "\"matcher\": \"exact\"}\n";
  const auto file = parse_tasks("t.jsonl", content, true);
  REQUIRE(file.ok());
  CHECK(file->sha256 == sha256(content));
  REQUIRE(file->tasks.size() == 2);
  CHECK(file->tasks[0].id == "1");  // its line
  CHECK(file->tasks[0].prompt.text == "2+2?");
  CHECK(file->tasks[0].prompt.max_tokens == 8);
  CHECK(file->tasks[0].matcher->match("It is 4.") == Match::right);
  CHECK(file->tasks[1].id == "m");
  CHECK(has(file->tasks[1].prompt.messages_json, "\"Hi\""));
  CHECK(file->tasks[1].matcher->match("b") == Match::right);
}

TEST_CASE("a bad line is one sentence that names file, line, member and what is expected") {
  const std::string good = R"("question":"q","expected":"x")";
  for (const auto& [line, member] : std::vector<std::pair<std::string, std::string>>{
           {"{" + good + "}", "matcher"},
           {"{" + good + R"(,"matcher":"fuzzy"})", "matcher"},
           {R"({"expected":"x","matcher":"exact"})", "question"},
           {R"({"question":"","expected":"x","matcher":"exact"})", "question"},
           {R"({"question":"q","matcher":"exact"})", "expected"},
           {R"({"question":"q","expected":[],"matcher":"exact"})", "expected"},
           {R"({"question":"q","expected":true,"matcher":"exact"})", "expected"},
           {R"({"question":"q","expected":"five","matcher":"number"})", "expected"},
           {R"({"question":"q","expected":"AB","matcher":"choice"})", "expected"},
           {R"({"question":"q","expected":"(","matcher":"regex"})", "expected"},
           {"{" + good + R"(,"matcher":"exact","max_tokens":0})", "max_tokens"},
           {"{" + good + R"(,"matcher":"exact","tolerance":1})", "tolerance"},
           {"{" + good + R"(,"matcher":"exact","expectd":1})", "expectd"},
           {"{" + good + R"(,"matcher":"exact","messages":[{}]})", "messages"},
           {R"({"messages":"q","expected":"x","matcher":"exact"})", "messages"},
           {"[1]", "question"},
           {"{", "JSON"}}) {
    CAPTURE(line);
    const std::string words = refusal(line);
    CHECK(has(words, "t.jsonl, line 2"));
    CHECK(has(words, member));
  }
}

TEST_CASE("messages need a chat dialect, ids are unique, an empty file is refused") {
  CHECK(has(refusal(R"({"messages":[{"role":"user"}],"expected":"x","matcher":"exact"})", false), "messages"));
  const std::string twice = R"({"id":"a","question":"q","expected":"x","matcher":"exact"})";
  CHECK(has(refusal(twice + "\n" + twice), "\"a\""));
  CHECK_FALSE(parse_tasks("t.jsonl", "\n", true).ok());
  CHECK(read_tasks("/nonexistent", true).error().code == ErrorCode::invalid_argument);
}

}  // namespace scoville::correctness
