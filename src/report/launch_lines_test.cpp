#include "report/launch_lines.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "report/made_bench.hpp"

using namespace scoville;
using event::LaunchEnding;
using namespace std::chrono_literals;

namespace {

report::BenchSubject started() {
  report::BenchSubject subject;
  event::LaunchRecord& launch = subject.launch.emplace();
  launch.time_to_ready = 3200ms;
  launch.time_to_first_token = 4100ms;
  launch.log = "/tmp/e.log";
  return subject;
}

report::BenchSubject crashed(bool in_run) {
  report::BenchSubject subject = started();
  LaunchEnding& ending = subject.launch->ending.emplace();
  ending.how = LaunchEnding::How::by_itself;
  ending.signal = 9;
  ending.since_start = 12300ms;
  ending.in_run = in_run;
  ending.log_tail = {"out of memory"};
  return subject;
}

std::vector<std::string> codes(const report::BenchSubject& subject) {
  std::vector<std::string> out;
  for (const auto& each : report::launch_warnings(subject)) out.push_back(each.code);
  return out;
}

}  // namespace

TEST_CASE("an engine that we started is one line of the report; another's is none") {
  CHECK(report::launch_line(started()) ==
        "Started by Scoville: ready after 3.20 s, first token after 4.10 s; log /tmp/e.log\n");
  CHECK(report::launch_line({}).empty());
  report::BenchSubject silent = started();
  silent.launch->time_to_first_token.reset();
  CHECK(report::launch_line(silent).find("first token after –") != std::string::npos);
}

TEST_CASE("a crash in the run is told with its time, its signal and its last words, in both languages") {
  const auto warnings = report::launch_warnings(crashed(true));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].code == "engine_crashed");
  CHECK(warnings[0].sentence.english.find("12.3 s after the start of the load (signal 9, Killed)") !=
        std::string::npos);
  CHECK(warnings[0].sentence.chinese.find("12.3 s") != std::string::npos);
  CHECK(report::launch_tail(crashed(true)).ends_with("  | out of memory\n"));
  // After the load was over it costs no request: the JSON tells it, the report does not warn.
  CHECK(codes(crashed(false)).empty());
  CHECK(report::launch_tail(crashed(false)).empty());
}

TEST_CASE("an engine that had to be killed, or left processes behind, is warned of") {
  report::BenchSubject subject = started();
  LaunchEnding& ending = subject.launch->ending.emplace();
  CHECK(codes(subject).empty());
  ending.killed_others = 2;
  CHECK(codes(subject) == std::vector<std::string>{"engine_left_processes"});
  ending.how = LaunchEnding::How::killed;  // its workers were killed with it
  CHECK(codes(subject) == std::vector<std::string>{"engine_killed"});
  ending.survivors = 1;
  CHECK(codes(subject) == std::vector<std::string>{"engine_killed", "engine_left_processes"});
}

TEST_CASE("the JSON counts a crash, and is null where nothing was started") {
  report::MadeBench made = report::made_bench();
  CHECK(report::bench_json(made.analysis(), made.plan, made.shape, made.subject).at("launch").is_null());
  made.subject.launch = crashed(true).launch;
  const json::object written = report::bench_json(made.analysis(), made.plan, made.shape, made.subject);
  const json::object& launch = written.at("launch").as_object();
  CHECK(launch.at("crashes") == 1);
  CHECK(launch.at("time_to_ready_ns") == 3200000000);
  CHECK(launch.at("ending").at("how") == "by_itself");
  CHECK(launch.at("ending").at("since_start_ns") == 12300000000);
}
