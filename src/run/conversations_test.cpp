#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "run/in_memory.hpp"
#include "run/runner.hpp"
#include "run/single.hpp"
#include "testing/answers.hpp"
#include "testing/scripted_peer.hpp"

namespace scoville::run {
namespace {

using event::Failure;
using event::RequestRecord;
using std::chrono::milliseconds;
using testing::Answer;
using testing::chat_answer;
using testing::ScriptedPeer;
using Then = testing::Answer::Then;

/// Conversations of three turns; turn t of conversation c says "c.t" and then, in brackets, what came back before.
class Talks final : public dataset::PromptSource {
 public:
  explicit Talks(Nanos think = Nanos::zero()) : think_(think) {}

  dataset::Prompt make(std::uint64_t index) const override { return said(index / 3, 0, {}); }
  dataset::Chain chain(std::uint64_t number) const override { return {number * 3, 3}; }
  dataset::Prompt follow_up(std::uint64_t number, std::span<const std::string> answers) const override {
    return said(number, answers.size(), answers);
  }
  Nanos think_time(std::uint64_t, std::uint32_t) const override { return think_; }
  text::Phrase describe() const override { return {"talks", "talks"}; }
  std::uint64_t dataset_hash() const override { return 0; }

 private:
  static dataset::Prompt said(std::uint64_t number, std::size_t turn, std::span<const std::string> answers) {
    dataset::Prompt prompt;
    prompt.text = std::to_string(number) + "." + std::to_string(turn) + " [";
    for (const std::string& each : answers) prompt.text += each + ";";
    prompt.text += "]";
    return prompt;
  }
  Nanos think_;
};

RunResult run_at(const std::string& url, const plan::LoadPlan& plan, const dataset::PromptSource& prompts) {
  auto target = wire::make_target(wire::parse_url(url).value(), {});
  REQUIRE(target.ok());
  plan::RequestShape shape;
  const auto dialect = load::make_dialect(shape.dialect);
  target->url = wire::join_api_path(target->url, dialect->path(shape));
  const std::atomic<bool> stop{false};
  auto result = run_in_memory({*target, *dialect, shape, plan, prompts}, stop);
  REQUIRE_MESSAGE(result.ok(), (result ? "" : result.error().message));
  return *std::move(result);
}

plan::LoadPlan closed_loop(std::size_t concurrency, std::size_t requests) {
  plan::LoadPlan plan;
  plan.max_concurrency = concurrency;
  plan.num_prompts = requests;
  return plan;
}

std::size_t count_with(const std::vector<std::string>& requests, const std::string& words) {
  return static_cast<std::size_t>(std::count_if(requests.begin(), requests.end(), [&](const std::string& each) {
    return each.find(words) != std::string::npos;
  }));
}

}  // namespace

TEST_CASE("a turn repeats what the server really said, and begins when that has ended and its user has thought") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});  // "a", "b"
  const RunResult result = run_at(peer.url(), closed_loop(2, 6), Talks(milliseconds(3)));
  REQUIRE(result.records.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const RequestRecord& record = result.records[i];
    CHECK(record.index == i);
    CHECK(record.turn == i % 3);
    CHECK(record.succeeded());
    CHECK(!record.text);  // kept for the next turn only
    if (record.turn == 0) continue;
    CHECK(*record.due == *result.records[i - 1].end + milliseconds(3));
    CHECK(*record.written >= *record.due);
  }
  for (const char* words : {"0.0 []", "0.1 [ab;]", "0.2 [ab;ab;]", "1.2 [ab;ab;]"})
    CHECK(count_with(peer.requests(), words) == 1);
}

TEST_CASE("a count that ends within a conversation ends it there") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), closed_loop(1, 5), Talks());
  CHECK(result.records.size() == 5);
  CHECK(count_with(peer.requests(), "1.2 ") == 0);
  CHECK(result.loaders.at(0).turns_not_sent == 0);
}

TEST_CASE("a user who thinks keeps the slot of a closed loop") {
  // With one slot the second conversation begins only when the first is over, however long its user thinks.
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), closed_loop(1, 6), Talks(milliseconds(5)));
  REQUIRE(result.records.size() == 6);
  CHECK(*result.records[3].written > *result.records[2].end);
  CHECK(result.loaders.at(0).peak_in_flight == 1);
}

TEST_CASE("conversations are the same whatever the number of threads") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  plan::LoadPlan plan = closed_loop(4, 24);
  plan.threads = 3;
  const RunResult result = run_at(peer.url(), plan, Talks());
  REQUIRE(result.records.size() == 24);
  for (std::size_t i = 0; i < 24; ++i) {
    CHECK(result.records[i].index == i);
    CHECK(result.records[i].thread == (i / 3) % 3);
  }
}

TEST_CASE("a turn that fails ends its conversation, and the turns that nobody sent are counted") {
  // The first conversation's second turn is refused; one slot, one connection: the third request.
  const std::string refused = testing::http(500, "", "{}");
  const ScriptedPeer peer({{{.bytes = chat_answer()}, {.bytes = refused}, {.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), closed_loop(1, 6), Talks());
  CHECK(result.records.size() == 5);
  CHECK(result.records.at(1).failure == Failure::http_status);
  CHECK(count_with(peer.requests(), "0.2 ") == 0);
  CHECK(result.loaders.at(0).turns_not_sent == 1);
}

TEST_CASE("a turn that is tried again goes on with its conversation") {
  const std::string refused = testing::http(503, "", "{}");
  const ScriptedPeer peer({{{.bytes = chat_answer()}, {.bytes = refused}, {.bytes = chat_answer()}}});
  plan::LoadPlan plan = closed_loop(1, 3);
  plan.retries = 1;
  const RunResult result = run_at(peer.url(), plan, Talks());
  CHECK(result.records.size() == 4);
  CHECK(count_with(peer.requests(), "0.1 [ab;]") == 2);
  CHECK(count_with(peer.requests(), "0.2 [ab;ab;]") == 1);
  CHECK(result.loaders.at(0).turns_not_sent == 0);
}

TEST_CASE("warm-up requests are no conversations") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  plan::LoadPlan plan = closed_loop(1, 3);
  plan.num_warmups = 2;
  const RunResult result = run_at(peer.url(), plan, Talks());
  CHECK(result.warmups == 2);
  CHECK(result.records.size() == 3);
  CHECK(peer.requests().size() == 5);
}

TEST_CASE("requests chosen to be cancelled are given up after their time, and are apart") {
  const std::string begun = testing::open_stream({testing::delta("a")});
  const ScriptedPeer peer({{{.bytes = begun, .then = Then::hold}}});
  plan::LoadPlan plan = closed_loop(2, 4);
  plan.cancel = {1.0, milliseconds(30)};
  const RunResult result = run_at(peer.url(), plan, FixedPrompt({}));
  CHECK(result.records.empty());
  REQUIRE(result.chosen.size() == 4);
  for (const RequestRecord& record : result.chosen) {
    CHECK(record.failure == Failure::cancelled);
    CHECK(*record.failed_at >= *record.written + milliseconds(30));
    CHECK(record.tokens.size() == 1);
  }
}

TEST_CASE("the share of chosen requests is the asked one, and the same for a seed") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  plan::LoadPlan plan = closed_loop(4, 400);
  plan.cancel = {0.25, std::chrono::hours(1)};
  std::set<std::uint64_t> chosen[2];
  for (auto& each : chosen) {
    const RunResult result = run_at(peer.url(), plan, FixedPrompt({}));
    CHECK(result.records.size() + result.chosen.size() == 400);
    for (const RequestRecord& record : result.chosen) each.insert(record.index);
  }
  CHECK(chosen[0] == chosen[1]);
  CHECK(chosen[0].size() > 70);  // mean 100, standard deviation 8.7
  CHECK(chosen[0].size() < 130);
}

TEST_CASE("the probe keeps to its rate beside a closed loop, and ends with it") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  plan::LoadPlan plan = closed_loop(1, 0);
  plan.duration = milliseconds(200);
  plan.probe_rate = 200.0;
  const RunResult result = run_at(peer.url(), plan, FixedPrompt({}));
  CHECK(!result.records.empty());
  CHECK(result.probes.size() > 15);  // mean 40
  CHECK(result.probes.size() < 80);
  for (const RequestRecord& record : result.probes) {
    CHECK(record.due);
    CHECK(record.thread == 1);
  }
  CHECK(result.loaders.size() == 2);
}

}  // namespace scoville::run
