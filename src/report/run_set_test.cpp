#include "report/run_set.hpp"

#include <doctest/doctest.h>

#include "report/golden_file.hpp"
#include "report/made_bench.hpp"

namespace scoville::report {
namespace {

using text::Language;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

RunOfSet run_of(const MadeBench& made, const std::string& id) {
  RunOfSet run{made.analysis(), made.plan, made.shape, made.subject};
  run.subject.run_id = id;
  return run;
}

/// Five runs; in the i-th all tokens come `i` ms later.
RunSet made_set() {
  RunSet set{"set-1", "before", {}};
  for (int i = 0; i < 5; ++i) {
    MadeBench made = made_bench();
    for (event::RequestRecord& each : made.run.records) {
      for (Moment* moment : {&each.first_token, &each.first_answer, &each.last_token, &each.end})
        if (*moment) *moment = **moment + analyse::ms(i);
    }
    set.runs.push_back(run_of(made, "run-" + std::to_string(i + 1)));
  }
  return set;
}

std::string table_in(Language language, const RunSet& set) {
  const Speaking speaking(language);
  return set_table(set);
}

json::object head_of(const RunSet& set) { return set_json(set).at("set").as_object(); }

std::vector<std::string> codes(const RunSet& set) {
  const json::object head = head_of(set);
  std::vector<std::string> out;
  for (const json::value& each : head.at("warnings").as_array()) out.emplace_back(each.at("code").as_string());
  return out;
}

}  // namespace

TEST_CASE("golden: a set in English") { check_golden("set.en.txt", table_in(Language::english, made_set())); }
TEST_CASE("golden: a set in Chinese") { check_golden("set.zh.txt", table_in(Language::chinese, made_set())); }

TEST_CASE("a set's JSON has the figures over its runs, and the runs as they are") {
  const RunSet set = made_set();
  const json::object object = set_json(set);
  CHECK(object.at("schema") == "scoville.set/1");
  const json::object head = head_of(set);
  CHECK(head.at("id") == "set-1");
  CHECK(head.at("tag") == "before");
  CHECK(head.at("runs") == json::value{"run-1", "run-2", "run-3", "run-4", "run-5"});
  CHECK(head.at("interval").at("level").as_double() == doctest::Approx(0.9375));
  CHECK(head.at("steady") == json::object{{"steady", 5}, {"drifting", 0}, {"unknown", 0}});
  const json::value& ttft = head.at("metrics").at("ttft");
  CHECK(ttft.at("unit") == "ns");
  const std::int64_t first = set.runs[0].analysis.latency(analyse::Latency::ttft).at(0.5)->value->count();
  CHECK(ttft.at("p50").at("values").as_array().size() == 5);
  CHECK(ttft.at("p50").at("median") == first + 2'000'000);  // that of the third run
  CHECK(ttft.at("p50").at("low") == first);
  CHECK(ttft.at("p50").at("high") == first + 4'000'000);
  CHECK(ttft.at("p95").at("supported") == true);
  CHECK(head.at("metrics").at("output_tokens_per_s").at("unit") == "1/s");
  CHECK(head.at("metrics").at("attainment").at("n") == 5);
  REQUIRE(object.at("runs").as_array().size() == 5);
  const RunOfSet& last = set.runs[4];
  CHECK(object.at("runs").as_array()[4] == bench_json(last.analysis, last.plan, last.shape, last.subject));
}

TEST_CASE("runs that get slower one after the other are warned of") {
  const std::vector<std::string> both{"drifting_over_runs", "drifting_over_runs"};  // TTFT up, output rate down
  CHECK(codes(made_set()) == both);
  RunSet steady = made_set();
  std::swap(steady.runs[0], steady.runs[4]);
  std::swap(steady.runs[1], steady.runs[2]);
  CHECK(codes(steady).empty());
}

TEST_CASE("a run that was cut off is listed and not counted") {
  RunSet set = made_set();
  set.runs[4].was_interrupted = true;
  const json::object head = head_of(set);
  CHECK(head.at("runs").as_array().size() == 4);
  CHECK(head.at("interval").at("level").as_double() == doctest::Approx(0.875));
  CHECK(head.at("metrics").at("ttft").at("p50").at("n") == 4);
  CHECK(set_json(set).at("runs").as_array().size() == 5);
  CHECK(codes(set) == std::vector<std::string>{"runs_interrupted"});
  CHECK(has(table_in(Language::english, set), "interrupted\n"));
  for (RunOfSet& each : set.runs) each.was_interrupted = true;
  CHECK(head_of(set).at("metrics").at("ttft").at("p50").at("median").is_null());
  CHECK(has(table_in(Language::english, set), "No figure holds"));
}

TEST_CASE("runs of different plans get no figure over them") {
  RunSet set = made_set();
  set.runs[1].plan.arrivals.rate = 20;
  CHECK(head_of(set).at("metrics").is_null());
  CHECK(codes(set) == std::vector<std::string>{"runs_differ"});
  const std::string table = table_in(Language::english, set);
  CHECK(has(table, "run-2"));
  CHECK_FALSE(has(table, "median over runs"));
}

TEST_CASE("a set with a client that was the bottleneck says so before anything else, in how many runs") {
  RunSet set = made_set();
  set.runs[2].analysis.instrument.verdict = analyse::Verdict::bottleneck;
  CHECK(codes(set).front() == "instrument_bottleneck");
  CHECK(has(set_warnings(set, view_of(set)).front().sentence.english, "in 1 of 5 runs"));
  CHECK(table_in(Language::english, set).starts_with("!! THE CLIENT WAS THE BOTTLENECK IN 1 OF 5 RUNS"));
}

TEST_CASE("one run alone has a figure and no interval; none has neither") {
  RunSet set = made_set();
  set.runs.resize(1);
  CHECK(head_of(set).at("interval").at("level").is_null());
  CHECK(head_of(set).at("metrics").at("ttft").at("p50").at("reason") == "too_few");
  CHECK(has(table_in(Language::english, set), "there is no interval"));
  set.runs.clear();
  CHECK(head_of(set).at("runs").as_array().empty());
}

}  // namespace scoville::report
