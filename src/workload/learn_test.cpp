#include "workload/learn.hpp"

#include <doctest/doctest.h>

#include "workload/made_request.hpp"

namespace scoville::workload {
namespace {

using namespace std::chrono_literals;

Learned learn_from(std::vector<LoggedRequest> rows, LearnOptions options = {}) {
  SourceFile file;
  file.name = "a.jsonl";
  file.log.block_chars = 256;
  file.log.rows = std::move(rows);
  for (std::size_t i = 0; i < file.log.rows.size(); ++i) file.log.rows[i].line = i + 1;
  std::vector<SourceFile> files;
  files.push_back(std::move(file));
  return learn(std::move(files), options);
}

LoggedRequest counted(LoggedRequest row, std::uint32_t input, std::uint32_t output) {
  row.input_tokens = input;
  row.output_tokens = output;
  return row;
}

}  // namespace

TEST_CASE("a conversation: what a later turn adds is its prompt less the prompt and the answer before it") {
  const Learned learned = learn_from({
      counted(made_request(0, 1.5, "su", {1, 2}), 100, 20),
      counted(made_request(4, 1, "suau", {1, 2, 3, 4}), 150, 30),  // 2.5 s after the end
  });
  REQUIRE(learned.workload.chains.size() == 1);
  const dataset::WorkloadChain& chain = learned.workload.chains[0];
  CHECK(chain.at == 0ns);
  CHECK(chain.model.empty());  // all asked for one: any will do
  REQUIRE(chain.turns.size() == 2);
  CHECK(chain.turns[0].input_tokens == 100);
  CHECK(chain.turns[0].output_tokens == 20);
  CHECK(chain.turns[0].think == 0ns);
  CHECK(chain.turns[1].input_tokens == 30);  // 150 - 100 - 20
  CHECK(chain.turns[1].output_tokens == 30);
  CHECK(chain.turns[1].think == 2500ms);
  CHECK(learned.conversations == 1);
  CHECK(learned.estimated_added == 0);
  CHECK(learned.sizes.turns == std::vector<double>{2});
}

TEST_CASE("models are kept where the traffic asked for several") {
  LoggedRequest other = counted(made_request(1, 1, "u", {9}), 50, 10);
  other.model = "adapter";
  const Learned learned = learn_from({counted(made_request(0, 1, "u", {1}), 50, 10), std::move(other)});
  REQUIRE(learned.workload.chains.size() == 2);
  CHECK(learned.workload.chains[0].model == "m");
  CHECK(learned.workload.chains[1].model == "adapter");
}

TEST_CASE("where the history got shorter, what a turn adds comes from its characters, and that is counted") {
  const Learned learned = learn_from({
      counted(made_request(0, 1, "u", {1}), 50, 100),          // 100 characters
      counted(made_request(4, 1, "uau", {1, 2, 3}), 130, 10),  // 300: thoughts were left out of the history
  });
  // 180 tokens on 400 characters, 0.45 each; the new message has 100.
  CHECK(learned.workload.chains.at(0).turns.at(1).input_tokens == 45);
  CHECK(learned.estimated_added == 1);
}

TEST_CASE("requests are put in the order of their times, counted from the first") {
  const Learned learned = learn_from({counted(made_request(9, 1), 1, 2), counted(made_request(3, 1), 3, 4)});
  REQUIRE(learned.workload.chains.size() == 2);
  CHECK(learned.workload.chains[0].at == 0ns);
  CHECK(learned.workload.chains[0].turns[0].input_tokens == 3);
  CHECK(learned.workload.chains[1].at == 6s);
}

TEST_CASE("a shared beginning gets blocks of the tokens that its characters have") {
  std::vector<LoggedRequest> rows;
  for (std::uint64_t i = 0; i < 3; ++i) {
    rows.push_back(counted(made_request(static_cast<double>(i), 0.1, "u", {i + 1}), 256, 1));
    rows.back().prompt->chars = 1024;  // 0.25 tokens each: 64 a block
    rows.back().prompt->prefix_hashes = {100, 101, 200 + i};
  }
  rows[2].prompt->prefix_hashes = {300};
  const Learned learned = learn_from(std::move(rows));
  CHECK(learned.workload.block_tokens == 64);
  CHECK(learned.workload.chains[0].blocks == std::vector<std::uint64_t>{1, 2});
  CHECK(learned.workload.chains[1].blocks == std::vector<std::uint64_t>{1, 2});
  CHECK(learned.workload.chains[2].blocks.empty());
  CHECK(learned.shared_tokens == 4 * 64);
  CHECK(learned.input_tokens == 3 * 256);
  CHECK(learned.sharing_chains == 2);
  CHECK(learned.distinct_blocks == 2);
}

TEST_CASE("failed requests are load, stale connections are not, a line without time among others is bad") {
  std::vector<LoggedRequest> rows(4, counted(made_request(0, 1), 10, 5));
  rows[1].failure = "client_closed";
  rows[1].output_tokens.reset();
  rows[2].failure = "stale_connection";
  rows[3].at.reset();
  const Learned learned = learn_from(std::move(rows));
  CHECK(learned.requests == 2);
  CHECK(learned.failed == 1);
  CHECK(learned.stale == 1);
  CHECK(learned.workload.chains[1].turns[0].output_tokens == 5);
  CHECK(learned.bad == 1);
  CHECK(learned.first_bad.line == 4);
}

TEST_CASE("a log without times gives a workload without them, in its order") {
  std::vector<LoggedRequest> rows{counted(made_request(0, 1, "uau", {1, 2, 3}), 9, 1),
                                  counted(made_request(0, 1, "u", {7}), 8, 1)};
  for (LoggedRequest& each : rows) each.at.reset();
  const Learned learned = learn_from(std::move(rows));
  CHECK_FALSE(learned.has_times);
  CHECK_FALSE(learned.workload.chains.at(0).at);
  CHECK(learned.workload.chains.at(0).turns[0].input_tokens == 9);
  CHECK_FALSE(learned.arrivals.rate);
}

TEST_CASE("a think time is never negative, and one from the request before is counted as an estimate") {
  std::vector<LoggedRequest> rows{counted(made_request(0, 1, "u", {1}), 10, 5),
                                  counted(made_request(3, 1, "uau", {1, 2, 3}), 20, 5)};
  rows[0].e2e.reset();
  const Learned learned = learn_from(std::move(rows));
  CHECK(learned.workload.chains.at(0).turns.at(1).think == 3s);
  CHECK(learned.estimated_think == 1);
}

}  // namespace scoville::workload
