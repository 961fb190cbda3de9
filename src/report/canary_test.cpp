#include "report/canary.hpp"

#include <doctest/doctest.h>

#include "text/catalogue.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

CanaryView made_view() {
  decide::FleetSeries base;
  base.at = {Nanos{}, std::chrono::hours(25)};
  base.requests = {0, 50000};
  base.failed = std::vector<double>{0, 50};
  base.buckets[decide::FleetLatency::ttft] = {{1.0, {0, 49000}}, {5.0, {0, 49900}}};
  decide::FleetSeries candidate = base;
  candidate.failed = std::vector<double>{0, 250};
  decide::CanaryPlan plan;
  plan.slos = {{decide::FleetLatency::ttft, std::chrono::seconds(2)}};
  return {"old", "new", "vllm", decide::judge_canary({"vllm", base, candidate, {}}, plan)};
}

}  // namespace

TEST_CASE("the JSON holds the verdict, its reason, and each test with its counts") {
  const json::object seen = canary_json(made_view());
  CHECK(seen.at("schema") == "scoville.canary/1");
  CHECK(seen.at("verdict") == "roll_back");
  CHECK(seen.at("reason") == "worse");
  CHECK(seen.at("next_step").is_null());
  const json::array& tests = seen.at("tests").as_array();
  REQUIRE(tests.size() == 2);
  CHECK(tests[0].at("candidate").at("events").as_double() == 250);
  CHECK(tests[1].at("limit").at("latency") == "ttft");
  CHECK(tests[1].at("base").at("events") != tests[1].at("base").at("events_at_most"));
}

TEST_CASE("the table opens with the verdict in the language spoken, within a terminal's width") {
  for (const text::Language language : {text::Language::english, text::Language::chinese}) {
    text::set_language(language);
    const std::string table = canary_table(made_view());
    CHECK(table.starts_with(language == text::Language::english ? "Roll back: worse than the control" : "回滚"));
    for (std::size_t at = 0; at < table.size();) {
      const std::size_t end = table.find('\n', at);
      CHECK(text::display_width(table.substr(at, end - at)) <= 120);
      at = end + 1;
    }
  }
  text::set_language(text::Language::english);
}

}  // namespace scoville::report
