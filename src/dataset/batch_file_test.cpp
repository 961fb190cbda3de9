#include "dataset/batch_file.hpp"

#include <doctest/doctest.h>

#include "dataset/format.hpp"

namespace scoville::dataset {
namespace {

constexpr std::string_view kFile =
    R"({"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":7}}
{"custom_id":"b","method":"POST","url":"/v1/chat/completions","body":{"messages":[],"max_completion_tokens":9}}

{"custom_id":"c","url":"/v1/embeddings","body":{"input":"x"}}
{"custom_id":"a","url":"/v1/chat/completions","body":{"messages":[]}}
{"custom_id":"d","body":{}}
not json
)";

TEST_CASE("rows of a batch file are requests with the body they bring") {
  const auto batch = BatchPrompts::parse("job.jsonl", kFile);
  REQUIRE(batch);
  CHECK(*batch->size() == 2);
  CHECK(batch->url() == "/v1/chat/completions");
  CHECK(batch->model() == "m");
  CHECK(batch->make(0).max_tokens == 7);
  CHECK(batch->make(1).max_tokens == 9);
  CHECK(batch->make(0).body_json.find("\"hi\"") != std::string::npos);
  CHECK(batch->custom_id(1) == "b");
}

TEST_CASE("a row with another url, a name used before, missing members or no JSON is left out and named") {
  const auto batch = BatchPrompts::parse("job.jsonl", kFile);
  REQUIRE(batch);
  REQUIRE(batch->bad_lines().size() == 4);
  CHECK(batch->bad_lines()[0].line == 4);
  CHECK(batch->bad_lines()[1].line == 5);
  CHECK(batch->bad_lines()[1].reason.find("line 1") != std::string::npos);
  CHECK(batch->bad_lines()[3].line == 7);
  REQUIRE(batch->warnings().size() == 1);
  CHECK(batch->warnings()[0].code == "rows_left_out");
}

TEST_CASE("a file without a usable row, or with an url that nobody serves, is one clear error") {
  CHECK(!BatchPrompts::parse("job.jsonl", "\n\n"));
  const auto other = BatchPrompts::parse("job.jsonl", R"({"custom_id":"a","url":"/v1/files","body":{}})");
  REQUIRE(!other);
  CHECK(other.error().message.find("/v1/files") != std::string::npos);
}

TEST_CASE("a batch file is told by its first row") {
  CHECK(detect_format(kFile) == Format::batch);
  CHECK(detect_format(R"({"custom_id":"a","prompt":"x"})") == Format::custom);
}

}  // namespace
}  // namespace scoville::dataset
