#include "dataset/jsonl.hpp"

#include <doctest/doctest.h>

#include "dataset/case_file.hpp"

namespace scoville::dataset {
namespace {

template <class Range, class Line>
json::array lines_of(const Range& range, Line line) {
  json::array lines;
  for (const auto& item : range) lines.push_back(static_cast<std::int64_t>(line(item)));
  return lines;
}

std::string reason_of(const std::string& line) {
  const auto found = parse_jsonl(line);
  CHECK(found.rows.empty());
  REQUIRE(found.bad.size() == 1);
  return found.bad[0].reason;
}

}  // namespace

TEST_CASE("DAT-02: lines that are not UTF-8 are named with line and byte, never repaired") {
  const auto expect = expected("DAT-02");
  const auto found = parse_jsonl(case_file("DAT-02.jsonl"));
  CHECK(lines_of(found.rows, [](const JsonlRow& row) { return row.line; }) == expect.at("ok_lines").as_array());
  CHECK(lines_of(found.bad, [](const BadLine& bad) { return bad.line; }) == expect.at("bad_lines").as_array());
  REQUIRE(found.bad[0].offset.has_value());
  CHECK(static_cast<std::int64_t>(*found.bad[0].offset) == expect.at("first_bad_offset").as_int64());
  CHECK(found.bad[0].reason == "not UTF-8 from byte 14 of the line on");
}

TEST_CASE("DAT-04: prompt and output together must fit the context") {
  const auto expect = expected("DAT-04");
  const auto found = parse_jsonl(case_file("DAT-04.jsonl"), RowNeeds::lengths);
  CHECK(found.bad.empty());
  const auto fit = fit_context(found.rows, static_cast<std::uint32_t>(expect.at("limit").as_int64()));
  const auto itself = [](std::uint64_t line) { return line; };
  CHECK(lines_of(fit.fit, itself) == expect.at("fit").as_array());
  CHECK(lines_of(fit.dropped, itself) == expect.at("dropped").as_array());
}

TEST_CASE("prompt, text and messages are read, with and without a limit of their own") {
  const auto prompts = JsonlPrompts::parse("f", R"({"prompt": "a\u00e9\n", "output_tokens": 7}
{"text":"b","max_tokens":9}

{"messages": [ {"role":"user", "content":"x \u00e9"} ], "temperature": 1}
{"prompt":"d","output_tokens":null})"
                                                "\r\n");
  REQUIRE(prompts.ok());
  CHECK(prompts->size() == 4);
  CHECK(prompts->make(0).text == "a\xC3\xA9\n");
  CHECK(prompts->make(0).max_tokens == 7);
  CHECK(prompts->make(1).text == "b");
  CHECK(prompts->make(1).max_tokens == 9);
  CHECK(prompts->make(2).text.empty());
  CHECK(prompts->make(2).messages_json == R"([ {"role":"user", "content":"x \u00e9"} ])");  // as the file has it
  CHECK(prompts->make(2).max_tokens == 0);
  CHECK(prompts->make(3).max_tokens == 0);
  CHECK(prompts->make(3).asked_prompt_tokens == 0);
  CHECK(prompts->warnings().empty());
}

TEST_CASE("a run longer than the file begins again from its first line") {
  const auto prompts = JsonlPrompts::parse("f", "{\"prompt\":\"a\"}\n{\"prompt\":\"b\"}\n{\"prompt\":\"c\"}");
  REQUIRE(prompts.ok());
  CHECK(prompts->make(4).text == "b");
  CHECK(prompts->make(4).hash == prompts->make(1).hash);
  CHECK(prompts->make(4).hash != prompts->make(2).hash);
}

TEST_CASE("each fault of a line has its reason") {
  CHECK(reason_of("{\"prompt\":\"a\"").starts_with("not JSON: "));
  CHECK(reason_of("hello").starts_with("not JSON: "));
  CHECK(reason_of(R"({"prompt":"a"} {"prompt":"b"})").starts_with("not JSON: "));
  CHECK(reason_of(R"({"prompt":"\ud800"})").starts_with("not JSON: "));
  CHECK(reason_of("12") == "not a JSON object");
  CHECK(reason_of("[1,2]") == "\"messages\" is not a list of objects");
  CHECK(reason_of("{}") == "it has none of prompt, text, messages");
  CHECK(reason_of(R"({"prompt":null})") == "it has none of prompt, text, messages");
  CHECK(reason_of(R"({"prompt":[1,2]})") == "\"prompt\" is not a text");
  CHECK(reason_of(R"({"prompt":""})") == "\"prompt\" is empty");
  CHECK(reason_of(R"({"messages":"hi"})") == "\"messages\" is not a list of objects");
  CHECK(reason_of(R"({"messages":["hi"]})") == "\"messages\" is not a list of objects");
  CHECK(reason_of(R"({"messages":[]})") == "\"messages\" is empty");
  CHECK(reason_of(R"({"prompt":"a","output_tokens":-1})") == "\"output_tokens\" is not a number of tokens");
  CHECK(reason_of(R"({"prompt":"a","max_tokens":"9"})") == "\"max_tokens\" is not a number of tokens");
}

TEST_CASE("bad lines are counted and named, the good ones are used") {
  const auto prompts = JsonlPrompts::parse("f.jsonl", "{\"prompt\":\"a\"}\nx\n{\"prompt\":\"b\"}\n{}\n");
  REQUIRE(prompts.ok());
  CHECK(prompts->size() == 2);
  REQUIRE(prompts->warnings().size() == 1);
  CHECK(prompts->warnings()[0].code == "rows_left_out");
  CHECK(prompts->warnings()[0].sentence.said().starts_with("f.jsonl: 2 of 4 rows are left out: not JSON"));
}

TEST_CASE("a file without a usable line is an error that says why") {
  const auto message = [](const char* content, std::optional<std::uint32_t> limit = {}) {
    const auto prompts = JsonlPrompts::parse("f", content, limit);
    return prompts.ok() ? "" : prompts.error().message;
  };
  CHECK(message("") == "no line of f can be used: it is empty");
  CHECK(message("\n\n") == "no line of f can be used: it is empty");
  CHECK(message("\n{}\n") == "no line of f can be used: it has none of prompt, text, messages (1: row 2)");
  CHECK(message(R"({"prompt":"a","prompt_tokens":90,"output_tokens":20})", 100) ==
        "no line of f can be used: no prompt fits a context of 100 tokens");
  CHECK(JsonlPrompts::open("/does/not/exist").error().code == ErrorCode::not_found);
}

TEST_CASE("rows beyond the context are dropped before the run; rows of unknown length stay") {
  const auto prompts = JsonlPrompts::parse("f", R"({"prompt":"a","prompt_tokens":90,"output_tokens":20}
{"prompt":"b","prompt_tokens":90,"output_tokens":10}
{"prompt":"c"})",
                                           100);
  REQUIRE(prompts.ok());
  CHECK(prompts->size() == 2);
  CHECK(prompts->make(0).text == "b");
  CHECK(prompts->dropped_lines() == std::vector<std::uint64_t>{1});
  CHECK(prompts->warnings()[0].code == "rows_too_long");
}

TEST_CASE("equal prompts make equal dataset hashes, another limit or order another one") {
  const auto hash = [](const char* content) { return JsonlPrompts::parse("f", content)->dataset_hash(); };
  const auto two = hash("{\"prompt\":\"a\"}\n{\"prompt\":\"b\"}");
  CHECK(hash("{ \"prompt\" : \"a\" }\n\n{\"text\":\"b\"}\n") == two);
  CHECK(hash("{\"prompt\":\"b\"}\n{\"prompt\":\"a\"}") != two);
  CHECK(hash("{\"prompt\":\"a\",\"max_tokens\":5}\n{\"prompt\":\"b\"}") != two);
}

TEST_CASE("the offset of bad UTF-8 is that of the character that is not whole") {
  CHECK_FALSE(first_invalid_utf8("é中😀").has_value());
  CHECK(first_invalid_utf8("é\x80") == 2);          // a continuation without its lead
  CHECK(first_invalid_utf8("ab\xE4\xB8") == 2);     // cut off
  CHECK(first_invalid_utf8("a\xC0\xAF") == 1);      // overlong
  CHECK(first_invalid_utf8("a\xED\xA0\x80") == 1);  // half of a surrogate pair
  CHECK(first_invalid_utf8("😀\xF5\x80\x80\x80") == 4);
}

}  // namespace scoville::dataset
