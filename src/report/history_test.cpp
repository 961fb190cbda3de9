#include "report/history.hpp"

#include <doctest/doctest.h>

#include "decide/made_arm.hpp"
#include "report/golden_file.hpp"

namespace scoville::report {
namespace {

using decide::Arm;
using text::Language;

Arm made(int day, double millis, const std::string& engine) {
  Arm arm = decide::arm_of_tpots("set-" + std::to_string(day),
                                 {millis, millis * 1.004, millis * 0.996, millis * 1.002, millis * 0.998});
  arm.setup.system.add("engine.version", json::string(engine), "test");
  for (std::size_t i = 0; i < arm.runs.size(); ++i) {
    decide::ArmRun& run = arm.runs[i];
    run.started = std::chrono::hours(24 * day) + std::chrono::minutes(i);
    run.statistics.output_tokens_per_s = 16'000 / millis;
    run.statistics.latencies[0].p50.value = 5e7;
  }
  return arm;
}

/// Another load first, then three days of one level, then a tenth more under another engine.
HistoryView slower_since_the_new_engine() {
  Arm other = made(20600, 20, "0.9.1");
  other.setup.load.max_concurrency = 32;
  std::vector<Arm> points{other, made(20601, 10, "0.9.1"), made(20602, 10.02, "0.9.1"), made(20603, 9.99, "0.9.1"),
                          made(20604, 11, "0.10.0")};
  HistoryView view{"nightly", decide::follow(std::move(points)), {}};
  view.warnings.push_back(dataset::make_warning("no_noise_floor", text::Msg::compare_warn_no_floor));
  return view;
}

std::string table_in(Language language, const HistoryView& view) {
  const Speaking speaking(language);
  return history_table(view);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("golden: a history in English and in Chinese") {
  check_golden("history.en.txt", table_in(Language::english, slower_since_the_new_engine()));
  check_golden("history.zh.txt", table_in(Language::chinese, slower_since_the_new_engine()));
}

TEST_CASE("the table marks the change, the step and what is not used") {
  const std::string table = table_in(Language::english, slower_since_the_new_engine());
  CHECK(has(table, "▁") == false);  // the level before is one height below the middle at most
  CHECK(has(table, "·"));           // not used, so not drawn
  CHECK(has(table, "2026-05-31"));  // 20604 days after 1970-01-01
  CHECK(has(table, "Step between 4 and 5: TPOT P50 +"));
  CHECK(has(table, "0.9.1 → "));
  CHECK(has(table, "Not used: 1 may not be compared with the newest: load.concurrency (32 → 16)"));
}

TEST_CASE("the JSON holds points, steps and the newest") {
  const json::object object = history_json(slower_since_the_new_engine());
  CHECK(object.at("schema") == "scoville.history/1");
  CHECK(object.at("metric") == "tpot");
  const json::array points = object.at("points").as_array();
  REQUIRE(points.size() == 5);
  CHECK(points[0].at("used") == false);
  CHECK(points[0].at("refused").at(0).at("field") == "load.concurrency");
  CHECK(points[4].at("changes").at(0).at("field") == "engine");
  CHECK(points[4].at("figure").at("value").as_double() == doctest::Approx(11e6));
  const json::object step = object.at("steps").at(0).as_object();
  CHECK(step.at("before") == "set-20603");
  CHECK(step.at("after") == "set-20604");
  CHECK(step.at("worse") == true);
  const json::object newest = object.at("newest").as_object();
  CHECK(newest.at("outcome") == "slower");
  CHECK(newest.at("plateau").as_array().size() == 3);
  CHECK(newest.at("plateau_runs") == 15);
  CHECK(newest.at("comparison").at("verdict") == "slower");
}

TEST_CASE("one point stands alone") {
  const HistoryView view{"nightly", decide::follow({made(20601, 10, "0.9.1")}), {}};
  CHECK(has(table_in(Language::english, view), "The newest stands alone"));
  CHECK(history_json(view).at("newest").at("comparison").is_null());
}

}  // namespace scoville::report
