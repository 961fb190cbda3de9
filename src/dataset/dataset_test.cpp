#include "dataset/dataset.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "dataset/case_file.hpp"
#include "dataset/rows_report.hpp"

namespace scoville::dataset {
namespace {

std::string fault_of(const std::string& content, std::optional<Format> format = {}) {
  ReadOptions options;
  options.format = format;
  const auto read = parse_dataset("f", content, options);
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().code == ErrorCode::invalid_argument);
  return read.error().message;
}

}  // namespace

TEST_CASE("a format is told by its content") {
  const auto format_of = [](std::string_view content) {
    const auto format = detect_format(content);
    return format ? name_of(*format) : "none";
  };
  CHECK(format_of("TIMESTAMP,ContextTokens,GeneratedTokens\r\n") == "azure");
  CHECK(format_of("\xEF\xBB\xBFTimestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens\n") ==
        "burstgpt");
  CHECK(format_of(R"({"timestamp":0,"input_length":5,"output_length":5,"hash_ids":[]})") == "mooncake");
  CHECK(format_of(R"({"format":"scoville.workload/1"})") == "workload");
  CHECK(format_of(R"({"prompt_tokens":5,"output_tokens":5})") == "lengths");
  CHECK(format_of(R"({"prompt":"a","output_tokens":5})") == "custom");
  CHECK(format_of("\n\nno JSON\n{\"text\":\"a\"}") == "custom");
  CHECK(format_of(R"({"content":[]})") == "custom");
  CHECK(format_of(R"({"messages":[]})") == "openai");
  CHECK(format_of(R"([{"role":"user","content":"a"}])") == "openai");
  CHECK(format_of(R"([{"id":"a","conversations":[]}])") == "sharegpt");
  CHECK(format_of("[\n  {\n    \"id\": \"a\",\n    \"conversations\": []\n  }\n]") == "sharegpt");
  CHECK(format_of(R"({"id":"a","conversations":[]})") == "sharegpt");
  CHECK(format_of(case_file("DAT-01.json")) == "sharegpt");
  CHECK(format_of(case_file("DAT-02.jsonl")) == "custom");
  CHECK(format_of(case_file("DAT-04.jsonl")) == "lengths");
  for (const char* other : {"", "{}", "[]", "1", "a,b\n1,2\n", "plain text", "[{}]", "{\"x\":1}"}) {
    CHECK(format_of(other) == "none");
  }
}

TEST_CASE("one huge line is told from its front, and reasons without number are counted, not listed") {
  const std::string one = R"([{"conversations":[{"from":"human","value":")" + std::string(2 << 20, 'x') +
                          R"("},{"from":"gpt","value":"a"}]}])";
  CHECK(detect_format(one) == Format::sharegpt);
  std::vector<BadLine> bad;
  for (std::uint64_t i = 1; i <= 300; ++i) bad.push_back({i, std::nullopt, fmt::format("r{}", i)});
  CHECK(reasons_of(bad) ==
        "r1 (1: row 1); r2 (1: row 2); r3 (1: row 3); r4 (1: row 4); r5 (1: row 5); and other reasons (295)");
}

TEST_CASE("names are ours, and the words of other tools for the same") {
  for (const char* name : {"custom", "openai", "sharegpt", "mooncake", "azure", "burstgpt", "lengths", "workload"}) {
    REQUIRE(format_from(name).has_value());
    CHECK(name_of(*format_from(name)) == name);
  }
  CHECK(format_from("timed_trace") == Format::mooncake);
  CHECK(format_from("mooncake_trace") == Format::mooncake);
  CHECK_FALSE(format_from("Sharegpt").has_value());
}

TEST_CASE("a file without a usable row is one clear error") {
  CHECK(fault_of("") == "no line of f can be used: it is empty");
  CHECK(fault_of("  \n") == "no line of f can be used: it is empty");
  CHECK(fault_of("hello") ==
        "--dataset-path f: its content does not tell which format it is; name it with --dataset-name (batch, custom, "
        "openai, "
        "sharegpt, mooncake, azure, burstgpt, lengths, workload)");
  CHECK(fault_of("{\"prompt\":\"\"}\n{\"prompt\":5}") ==
        "no line of f can be used: \"prompt\" is empty (1: row 1); \"prompt\" is not a text (1: row 2)");
  CHECK(fault_of("a,b\n", Format::azure) == "no line of f can be used: the head has no column \"TIMESTAMP\"");
  CHECK(fault_of("{", Format::workload).starts_with("no line of f can be used: its first line is not {\"format\":"));
  CHECK(fault_of("[1", Format::sharegpt).starts_with("no line of f can be used: not JSON"));
  CHECK_FALSE(read_dataset("/nonexistent/file", {}).ok());
}

TEST_CASE("OpenAI's messages are sent as recorded unless the conversation is to go on") {
  const std::string content = R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]})";
  const auto as_recorded = parse_dataset("f", content, {});
  REQUIRE(as_recorded.ok());
  CHECK(std::holds_alternative<JsonlRows>(as_recorded->content));
  ReadOptions options;
  options.is_multi_turn = true;
  const auto going_on = parse_dataset("f", content, options);
  REQUIRE(going_on.ok());
  CHECK(std::holds_alternative<Dialogues>(going_on->content));
}

TEST_CASE("shuffling is by seed, keeps every row, and loses the times") {
  std::string content;
  for (int i = 0; i < 50; ++i)
    content += fmt::format("{{\"timestamp\":{},\"input_length\":{},\"output_length\":5}}\n", i, i + 1);
  const auto order = [&](std::uint64_t seed) {
    auto read = parse_dataset("f", content, {});
    REQUIRE(read.ok());
    shuffle(*read, seed);
    CHECK_FALSE(has_times(*read->workload()));
    std::vector<std::uint32_t> inputs;
    for (const auto& chain : read->workload()->chains) inputs.push_back(chain.turns[0].input_tokens);
    return inputs;
  };
  const auto one = order(1);
  CHECK(order(1) == one);
  CHECK(order(2) != one);
  auto sorted = one;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted != one);
  CHECK(sorted.front() == 1);
  CHECK(sorted.back() == 50);
}

}  // namespace scoville::dataset
