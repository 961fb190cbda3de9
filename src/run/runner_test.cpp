#include "run/runner.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>

#include "run/in_memory.hpp"
#include "run/single.hpp"
#include "testing/answers.hpp"
#include "testing/scripted_peer.hpp"

namespace scoville::run {
namespace {

using event::Failure;
using event::RequestRecord;
using testing::Answer;
using testing::chat_answer;
using testing::last_chat_answer;
using testing::ScriptedPeer;
using Then = testing::Answer::Then;

plan::LoadPlan closed_loop(std::size_t concurrency, std::size_t requests) {
  plan::LoadPlan plan;
  plan.max_concurrency = concurrency;
  plan.num_prompts = requests;
  return plan;
}

plan::LoadPlan open_loop(double per_s, std::size_t requests) {
  plan::LoadPlan plan;
  plan.arrivals.rate = per_s;
  plan.num_prompts = requests;
  return plan;
}

/// Runs `plan` against the server at `url`.
RunResult run_at(const std::string& url, const plan::LoadPlan& plan, const std::atomic<bool>& stop) {
  auto target = wire::make_target(wire::parse_url(url).value(), {});
  REQUIRE_MESSAGE(target.ok(), (target ? "" : target.error().message));
  plan::RequestShape shape;
  const auto dialect = load::make_dialect(shape.dialect);
  target->url = wire::join_api_path(target->url, dialect->path(shape));
  dataset::Prompt prompt;
  prompt.text = "Hello";
  auto result = run_in_memory({*target, *dialect, shape, plan, FixedPrompt(prompt)}, stop);
  REQUIRE_MESSAGE(result.ok(), (result ? "" : result.error().message));
  return *std::move(result);
}

RunResult run_at(const std::string& url, const plan::LoadPlan& plan) {
  const std::atomic<bool> stop{false};
  return run_at(url, plan, stop);
}

std::ptrdiff_t count(const RunResult& result, Failure failure) {
  return std::count_if(result.records.begin(), result.records.end(),
                       [&](const RequestRecord& record) { return record.failure == failure; });
}

/// The descriptor limit of this process, put back in the end.
class DescriptorLimit {
 public:
  DescriptorLimit() { getrlimit(RLIMIT_NOFILE, &before_); }
  ~DescriptorLimit() { setrlimit(RLIMIT_NOFILE, &before_); }
  /// Those that are open stay so; none can be opened.
  void exhaust() const {
    const rlimit none{3, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("a closed loop sends each request once, and its records come in order") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), closed_loop(3, 20));
  REQUIRE(result.records.size() == 20);
  CHECK(count(result, Failure::none) == 20);
  for (std::size_t i = 0; i < 20; ++i) CHECK(result.records[i].index == i);
  CHECK(peer.requests().size() == 20);
  CHECK(peer.connections() <= 3);
  CHECK(result.loaders.at(0).peak_in_flight == 3);
  CHECK_FALSE(result.was_interrupted);
}

TEST_CASE("warm-up requests are apart, and their connections are used again") {
  plan::LoadPlan plan = closed_loop(1, 3);
  plan.num_warmups = 2;
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), plan);
  CHECK(result.records.size() == 3);
  CHECK(result.warmups == 2);
  CHECK(result.records.at(0).reused_connection);
  CHECK(peer.connections() == 1);
}

TEST_CASE("one seed is one schedule, whatever the number of threads") {
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  std::vector<std::vector<Nanos>> dues;
  for (const unsigned threads : {1U, 3U}) {
    plan::LoadPlan plan = open_loop(2000, 40);
    plan.arrivals.seed = 7;
    plan.threads = threads;
    const RunResult result = run_at(peer.url(), plan);
    REQUIRE(result.records.size() == 40);
    auto& due = dues.emplace_back();
    for (const RequestRecord& record : result.records) {
      due.push_back(*record.due - result.start);
      CHECK(record.thread == record.index % threads);
      CHECK(*record.written >= *record.due);  // none leaves early
    }
  }
  CHECK(dues[0] == dues[1]);
  CHECK(std::is_sorted(dues[0].begin(), dues[0].end()));
}

TEST_CASE("the slot is free at [DONE], while the body is still held open") {
  // The first body ends only when the second request has come: if that waited for it, both would wait for ever.
  plan::LoadPlan plan = closed_loop(1, 2);
  plan.timeouts.linger = std::chrono::hours(1);
  const std::string done = testing::open_stream({testing::delta("a"), "[DONE]"});
  const ScriptedPeer peer(
      {{{.bytes = done, .until_requests = 2, .rest = testing::end_of_stream()}}, {{.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), plan);
  CHECK(count(result, Failure::none) == 2);
  CHECK(peer.connections() == 2);
  CHECK(*result.records.at(1).written >= *result.records.at(0).end);
}

TEST_CASE("a body that is held open after [DONE] is left after the linger time, and said") {
  plan::LoadPlan plan = closed_loop(1, 1);
  plan.timeouts.linger = std::chrono::milliseconds(5);
  const ScriptedPeer peer({{{.bytes = testing::open_stream({testing::delta("a"), "[DONE]"}), .then = Then::hold}}});
  const RunResult result = run_at(peer.url(), plan);
  CHECK(result.records.at(0).succeeded());
  CHECK(result.records.at(0).flags.has(event::Flag::held_open_after_done));
}

TEST_CASE("a server that closes each connection after its answer costs no request") {
  // It promises keep-alive, and ends the connection while that is idle.
  const ScriptedPeer peer({{{.bytes = chat_answer(), .then = Then::fin}}});
  plan::LoadPlan plan = open_loop(50, 5);
  plan.arrivals.is_constant = true;
  const RunResult result = run_at(peer.url(), plan);
  CHECK(count(result, Failure::none) == 5);
  CHECK(peer.connections() >= 5);
}

TEST_CASE("a request that must be sent again does not wait behind connections that were used before") {
  // Two connections: whichever takes the third request dies under it, while the other is idle, and used.
  const ScriptedPeer peer({{{.bytes = chat_answer()}, {.then = Then::fin}},
                           {{.bytes = chat_answer()}, {.then = Then::fin}},
                           {{.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), closed_loop(2, 3));
  CHECK(count(result, Failure::none) == 3);
  const RequestRecord& again = result.records.at(2);
  CHECK(again.resends == 1);
  CHECK(*again.written - *again.dequeued < std::chrono::seconds(1));  // idle connections are dropped after 2 s
}

TEST_CASE("a server that is gone in mid-run: the rest are failures of class connect, and the run ends") {
  ScriptedPeer* server = nullptr;
  ScriptedPeer peer({{{.bytes = last_chat_answer()}}}, {.on_request = [&](std::size_t) { server->refuse(); }});
  server = &peer;
  const RunResult result = run_at(peer.url(), closed_loop(1, 3));
  REQUIRE(result.records.size() == 3);
  CHECK(result.records[0].succeeded());
  CHECK(count(result, Failure::connect) == 2);
  CHECK(result.records[1].error_message.find(std::to_string(peer.port())) != std::string::npos);
  CHECK(result.records[1].failed_at.has_value());
}

TEST_CASE("an open loop at a dead server fails its requests as they come, not long afterwards") {
  ScriptedPeer* server = nullptr;
  ScriptedPeer peer({{{.bytes = chat_answer()}}}, {.on_request = [&](std::size_t) { server->die(); }});
  server = &peer;
  plan::LoadPlan plan = open_loop(500, 100);
  plan.arrivals.is_constant = true;
  const RunResult result = run_at(peer.url(), plan);
  REQUIRE(result.records.size() == 100);
  CHECK(count(result, Failure::connect) > 50);
  for (const RequestRecord& record : result.records) {
    CHECK_FALSE(record.succeeded());
    CHECK(*record.failed_at - *record.due < std::chrono::seconds(1));
  }
}

TEST_CASE("descriptors that run out are this client's fault: class client_resource") {
  const DescriptorLimit limit;
  ScriptedPeer peer({{{.bytes = last_chat_answer()}}}, {.on_request = [&](std::size_t) { limit.exhaust(); }});
  const RunResult result = run_at(peer.url(), closed_loop(1, 3));
  REQUIRE(result.records.size() == 3);
  CHECK(result.records[0].succeeded());
  CHECK(count(result, Failure::client_resource) == 2);
  CHECK(peer.requests().size() == 1);
}

TEST_CASE("an open loop without descriptors fails its requests as they come") {
  const DescriptorLimit limit;
  ScriptedPeer peer({{{.bytes = last_chat_answer()}}}, {.on_request = [&](std::size_t) { limit.exhaust(); }});
  plan::LoadPlan plan = open_loop(500, 200);
  plan.arrivals.is_constant = true;
  plan.timeouts.idle = std::chrono::milliseconds(300);  // the peer has no descriptor for connections that wait, either
  const RunResult result = run_at(peer.url(), plan);
  REQUIRE(result.records.size() == 200);
  CHECK(count(result, Failure::client_resource) > 50);  // the first 54 or so have connections that were opened before
  for (const RequestRecord& record : result.records) {
    if (!record.succeeded()) CHECK(*record.failed_at - *record.due < std::chrono::seconds(1));
  }
}

TEST_CASE("no server at all is an error in place of a run") {
  ScriptedPeer peer({{{.bytes = chat_answer()}}});
  auto target = wire::make_target(wire::parse_url(peer.url()).value(), {}).value();
  peer.refuse();
  const plan::RequestShape shape;
  const auto dialect = load::make_dialect(shape.dialect);
  const std::atomic<bool> stop{false};
  const auto result = run_in_memory({target, *dialect, shape, closed_loop(2, 2), FixedPrompt({})}, stop);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == ErrorCode::refused);
}

TEST_CASE("a stop gives up what is in flight as aborted, sends no more, and returns what was measured") {
  std::atomic<bool> stop{false};
  const testing::Answers one_and_no_more{{.bytes = chat_answer()}, {.then = Then::hold}};
  const ScriptedPeer peer({one_and_no_more, one_and_no_more, {{.then = Then::hold}}},
                          {.on_request = [&](std::size_t came) {
                            if (came >= 4) stop = true;
                          }});
  const RunResult result = run_at(peer.url(), closed_loop(2, 100), stop);
  CHECK(result.was_interrupted);
  CHECK(peer.requests().size() == 4);
  REQUIRE(result.records.size() == 4);
  CHECK(count(result, Failure::none) == 2);
  CHECK(count(result, Failure::aborted) == 2);
  CHECK_FALSE(result.records.at(3).end.has_value());
}

TEST_CASE("a stop before the first request leaves no records, and an open loop does not wait for its schedule") {
  const std::atomic<bool> stopped{true};
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  CHECK(run_at(peer.url(), closed_loop(2, 100), stopped).records.empty());
  std::atomic<bool> stop{false};
  const ScriptedPeer slow({{{.bytes = chat_answer()}}}, {.on_request = [&](std::size_t) { stop = true; }});
  plan::LoadPlan plan = open_loop(0.001, 3);  // the second would be due after a quarter of an hour
  plan.arrivals.is_constant = true;
  CHECK(run_at(slow.url(), plan, stop).records.size() == 1);
}

TEST_CASE("no request is sent twice unless asked for; then each try is a record of its own") {
  const std::vector<testing::Answers> script{{{.bytes = testing::http(503, "", "busy")},
                                              {.bytes = testing::http(429, "", "slow down")},
                                              {.bytes = chat_answer()}}};
  const ScriptedPeer strict(script), lenient(script), lazy(script);
  plan::LoadPlan plan = closed_loop(1, 1);
  CHECK(run_at(strict.url(), plan).records.size() == 1);
  plan.retries = 5;
  const RunResult result = run_at(lenient.url(), plan);
  REQUIRE(result.records.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(result.records[i].index == 0);
    CHECK(result.records[i].attempt == i);
  }
  CHECK(result.records[0].http_status == 503);
  CHECK(result.records[1].http_status == 429);
  CHECK(result.records[2].succeeded());
  plan.retries = 1;
  CHECK(run_at(lazy.url(), plan).records.size() == 2);
}

TEST_CASE("a refusal that will not change is not tried again") {
  plan::LoadPlan plan = closed_loop(1, 1);
  plan.retries = 5;
  const ScriptedPeer peer({{{.bytes = testing::http(404, "", "no such model")}}});
  CHECK(run_at(peer.url(), plan).records.size() == 1);
}

TEST_CASE("many retries come in the order of their tries") {
  // 40 requests, each refused once: more than std::sort leaves in place by chance.
  std::vector<testing::Answers> script(40, {{.bytes = testing::http(503, "Connection: close\r\n", "")}});
  script.push_back({{.bytes = chat_answer()}});
  const ScriptedPeer peer(script);
  plan::LoadPlan plan = closed_loop(40, 40);
  plan.retries = 40;
  const RunResult result = run_at(peer.url(), plan);
  CHECK(result.records.size() == 80);
  for (std::size_t i = 1; i < result.records.size(); ++i) {
    const RequestRecord &before = result.records[i - 1], &record = result.records[i];
    CHECK(std::pair(before.index, before.attempt) < std::pair(record.index, record.attempt));
  }
}

TEST_CASE("a duration ends the issue of requests, not those in flight") {
  plan::LoadPlan plan = open_loop(1000, 0);
  plan.arrivals.is_constant = true;
  plan.duration = std::chrono::milliseconds(20);
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), plan);
  CHECK(result.records.size() == 21);  // at 0, 1, …, 20 ms
  CHECK(count(result, Failure::none) == 21);
}

TEST_CASE("a cap holds requests of a schedule back, and says that they were held") {
  plan::LoadPlan plan = open_loop(1e6, 4);
  plan.arrivals.is_constant = true;
  plan.max_concurrency = 1;
  const ScriptedPeer peer({{{.bytes = chat_answer()}}});
  const RunResult result = run_at(peer.url(), plan);
  REQUIRE(result.records.size() == 4);
  CHECK(result.loaders.at(0).peak_in_flight == 1);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(result.records[i].was_held);
    CHECK(*result.records[i].written >= *result.records[i - 1].end);
  }
}

}  // namespace scoville::run
