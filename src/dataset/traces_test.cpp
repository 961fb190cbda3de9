#include "dataset/traces.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "dataset/case_file.hpp"
#include "dataset/dataset.hpp"
#include "dataset/workload_file.hpp"

namespace scoville::dataset {
namespace {

using namespace std::chrono_literals;

std::vector<std::uint64_t> lines_of(const std::vector<BadLine>& bad) {
  std::vector<std::uint64_t> lines;
  for (const BadLine& each : bad) lines.push_back(each.line);
  return lines;
}

Workload good(Result<Workload> read) {
  REQUIRE(read.ok());
  return *std::move(read);
}

}  // namespace

TEST_CASE("a Mooncake trace: times in ms from the first row, blocks of 512, other members passed over") {
  const Workload read = parse_mooncake(
      R"({"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47], "session_id": "a"}
{"timestamp": 30535.5, "input_length": 6472, "output_length": 26, "hash_ids": [46, 2366]})");
  REQUIRE(read.chains.size() == 2);
  CHECK(read.block_tokens == 512);
  CHECK(*read.chains[0].at == 0ns);
  CHECK(*read.chains[1].at == 3053500us);
  CHECK(read.chains[0].blocks == std::vector<std::uint64_t>{46, 47});
  CHECK(read.chains[1].turns[0].input_tokens == 6472);
  CHECK(read.chains[1].turns[0].output_tokens == 26);
  CHECK(read.chains[1].line == 2);
  CHECK(span_of(read) == 3053500us);
}

TEST_CASE("rows of a Mooncake trace that cannot be used are named with their reason, and the others stay") {
  const Workload read = parse_mooncake(R"({"timestamp": 0, "input_length": 5, "output_length": 5}
{"input_length": 5, "output_length": 5}
{"timestamp": -1, "input_length": 5, "output_length": 5}
{"timestamp": 0, "output_length": 5}
{"timestamp": 0, "input_length": 0, "output_length": 5}
{"timestamp": 0, "input_length": 5, "output_length": 0}
{"timestamp": 0, "input_length": 5, "output_length": 5, "hash_ids": "46"}
{"timestamp": 0, "input_length": 5.5, "output_length": 5}
[1]
{
{"timestamp": 9, "input_length": 5, "output_length": 5})");
  CHECK(read.chains.size() == 2);
  CHECK(lines_of(read.bad) == std::vector<std::uint64_t>{2, 3, 4, 5, 6, 7, 8, 9, 10});
  CHECK(read.bad[0].reason == "\"timestamp\" is missing or no time");
  CHECK(read.bad[2].reason == "\"input_length\" is missing or no whole number of tokens");
  CHECK(read.bad[3].reason == "it has no input tokens");
  CHECK(read.bad[5].reason == "\"hash_ids\" is not a list of whole numbers");
}

TEST_CASE("rows out of the order of their times are counted and sorted") {
  const Workload read = parse_mooncake(R"({"timestamp": 100, "input_length": 1, "output_length": 5}
{"timestamp": 50, "input_length": 2, "output_length": 5}
{"timestamp": 100, "input_length": 3, "output_length": 5}
{"timestamp": 70, "input_length": 4, "output_length": 5})");
  CHECK(read.unsorted == 2);
  std::vector<std::uint32_t> order;
  for (const auto& chain : read.chains) order.push_back(chain.turns[0].input_tokens);
  CHECK(order == std::vector<std::uint32_t>{2, 4, 1, 3});
  CHECK(*read.chains[3].at == 50ms);
}

TEST_CASE("an Azure trace: times with a date and seven digits of a second, both years' forms") {
  const Workload read =
      good(parse_azure("TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,4808,10\r\n"
                       "2023-11-16 18:17:04.0319600,3180,8\r\n2023-11-16 18:17:05,12,0\r\n2023-11-16 "
                       "18:17:05,x,9\r\nlate,1,2\r\n1,2\r\n"));
  REQUIRE(read.chains.size() == 2);
  CHECK(*read.chains[1].at == 52ms);
  CHECK(read.chains[0].turns[0].input_tokens == 4808);
  CHECK(read.chains[0].turns[0].output_tokens == 10);
  CHECK(lines_of(read.bad) == std::vector<std::uint64_t>{4, 5, 6, 7});
  CHECK(read.bad[3].reason == "it has 2 fields, the head has 3");
  const Workload later =
      good(parse_azure("TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.009930+00:00,2162,5\n"
                       "2024-05-10 00:00:00.017335+00:00,2399,6\n"));
  CHECK(*later.chains[1].at == 7405us);
}

TEST_CASE("a BurstGPT trace: columns by name in any order; no response tokens is a failed request") {
  const Workload read = good(parse_burstgpt(
      "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "5,1,10,ChatGPT,472,18,490,Conversation log\n45,1,3,\"GPT-4, new\",1087,230,1317,Conversation log\n"
      "118,2,0,ChatGPT,417,0,417,API log\n"));
  REQUIRE(read.chains.size() == 2);
  CHECK(*read.chains[1].at == 40s);
  CHECK(read.chains[1].turns[0].input_tokens == 1087);
  CHECK(read.chains[1].turns[0].output_tokens == 230);
  REQUIRE(read.bad.size() == 1);
  CHECK(read.bad[0].line == 4);
  CHECK(read.bad[0].reason == "no response tokens: the log has it as a failed request");
  const Workload turned = good(parse_burstgpt("Response tokens,Timestamp,Request tokens\n18,5.25,472\n"));
  CHECK(turned.chains[0].turns[0].input_tokens == 472);
  const auto other = parse_burstgpt("Timestamp,Model,Request tokens\n5,ChatGPT,472\n");
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().message == "the head has no column \"Response tokens\"");
}

TEST_CASE("DAT-04: rows whose prompt and output exceed the context leave the workload, and nothing is cut") {
  const auto expect = expected("DAT-04");
  Workload read = parse_lengths_file(case_file("DAT-04.jsonl"));
  REQUIRE(read.chains.size() == 4);
  CHECK_FALSE(has_times(read));
  const auto dropped = drop_too_long(read, static_cast<std::uint32_t>(expect.at("limit").as_int64()));
  json::array kept;
  for (const auto& chain : read.chains) kept.push_back(static_cast<std::int64_t>(chain.line));
  CHECK(kept == expect.at("fit").as_array());
  CHECK(dropped == std::vector<std::uint64_t>{2, 3});
  CHECK(read.chains[1].turns[0].input_tokens == 4095);
}

TEST_CASE("our workload file: single requests, conversations, blocks, models, thinking times") {
  const Workload read = good(parse_workload_file(R"({"format":"scoville.workload/1","block_tokens":16}
{"at_ms":100.5,"input_tokens":812,"output_tokens":64,"blocks":[1,2],"model":"m"}
{"at_ms":200,"blocks":[1],"turns":[{"input_tokens":812,"output_tokens":64},{"think_ms":1500,"input_tokens":40,"output_tokens":30}]}
{"at_ms":300,"input_tokens":7}
)"));
  CHECK(read.block_tokens == 16);
  REQUIRE(read.chains.size() == 3);
  CHECK(read.chains[0].model == "m");
  CHECK(read.chains[0].blocks == std::vector<std::uint64_t>{1, 2});
  CHECK(*read.chains[1].at == 99500us);
  REQUIRE(read.chains[1].turns.size() == 2);
  CHECK(read.chains[1].turns[1].think == 1500ms);
  CHECK(read.chains[1].turns[1].input_tokens == 40);
  CHECK(read.chains[2].turns[0].output_tokens == 0);
  CHECK(requests_of(read) == 4);
  CHECK(read.bad.empty());
}

TEST_CASE("a workload file without its head is refused; a line without the time that others have is left out") {
  for (const char* head : {R"({"format":"scoville.workload/2"})", R"({"input_tokens":5})", "[]", "", "{"}) {
    CHECK_FALSE(parse_workload_file(std::string(head) + "\n{\"input_tokens\":5}").ok());
  }
  CHECK_FALSE(
      parse_workload_file("{\"format\":\"scoville.workload/1\",\"block_tokens\":0}\n{\"input_tokens\":5}").ok());
  const Workload read = good(parse_workload_file(R"({"format":"scoville.workload/1"}
{"at_ms":5,"input_tokens":5}
{"input_tokens":6}
{"at_ms":7,"turns":[]}
{"at_ms":7,"input_tokens":5,"model":4}
{"at_ms":7,"turns":[{"input_tokens":5},{"output_tokens":5}]})"));
  CHECK(read.chains.size() == 1);
  CHECK(lines_of(read.bad) == std::vector<std::uint64_t>{4, 5, 6, 3});
}

TEST_CASE("100,000 rows of each trace are read in well under a second") {
  std::string mooncake, azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  for (int i = 0; i < 100000; ++i) {
    mooncake += fmt::format(
        "{{\"timestamp\": {}, \"input_length\": 6758, \"output_length\": 500, \"hash_ids\": [0, 1, 2, 3, 4, 5, 6, 7, "
        "8, "
        "9, 10, 11, 12, {}]}}\n",
        i, i + 100);
    azure += fmt::format("2023-11-16 18:{:02}:{:02}.9799600,4808,10\n", i / 60 % 60, i % 60);
  }
  const auto start = std::chrono::steady_clock::now();
  CHECK(parse_mooncake(mooncake).chains.size() == 100000);
  CHECK(good(parse_azure(azure)).chains.size() == 100000);
  CHECK(std::chrono::steady_clock::now() - start < 5s);  // 0.2 s where nothing else runs
}

}  // namespace scoville::dataset
