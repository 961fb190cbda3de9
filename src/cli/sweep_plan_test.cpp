#include "cli/sweep_plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace scoville::cli {
namespace {

std::string values(std::string_view given) {
  const Result<Axis> axis = parse_load_axis(given);
  if (!axis) return "error";
  std::string out = axis->name;
  for (const std::string& each : axis->values) out += " " + each;
  return out;
}

}  // namespace

TEST_CASE("lists, geometric and arithmetic ranges, and vLLM's names") {
  CHECK(values("rate=0.5,1,inf") == "rate 0.5 1 inf");
  CHECK(values("concurrency=1:64:x2") == "concurrency 1 2 4 8 16 32 64");
  CHECK(values("concurrency=1:10:x3") == "concurrency 1 3 9");
  CHECK(values("rate=0.1:0.5:+0.1") == "rate 0.1 0.2 0.3 0.4 0.5");
  CHECK(values("input-len=16,128:256:+64") == "input-len 16 128 192 256");
  CHECK(values("random-output-len=8") == "output-len 8");
  for (const char* bad : {"", "rate", "rate=", "speed=1", "rate=0", "rate=-1", "concurrency=1.5", "concurrency=inf",
                          "rate=1,x", "rate=4:1:x2", "rate=1:4:x1", "rate=1:4:2", "rate=1:4", "rate=1,2,1",
                          "rate=1:10000000:+1", "concurrency=1:2:x1.5"})
    CHECK_MESSAGE(values(bad) == "error", bad);
}

TEST_CASE("settings take the engine's words") {
  CHECK(*parse_setting_axis("dtype=bf16,fp16") == Axis{"dtype", {"bf16", "fp16"}});
  for (const char* bad : {"", "tp", "=1", "tp=", "tp=1,1"}) CHECK_FALSE(parse_setting_axis(bad).ok());
}

TEST_CASE("settings are the outer loop; loads come in rounds, each a permutation of its own by the seed") {
  const std::vector<Axis> settings{{"tp", {"1", "2"}}},
      loads{{"concurrency", {"1", "2", "4", "8"}}, {"rate", {"1", "2"}}};
  const SweepPlan plan = make_plan(settings, loads, 2, 7, false);
  REQUIRE(plan.points.size() == 16);
  REQUIRE(plan.order.size() == 32);
  CHECK(plan.points[9].settings == 1);
  CHECK(plan.points[9].load == decide::Choices{{"concurrency", "1"}, {"rate", "2"}});
  for (std::size_t round = 0; round < 4; ++round) {
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < 8; ++i) {
      const SweepStep& step = plan.order[round * 8 + i];
      CHECK(plan.points[step.point].settings == round / 2);
      CHECK(step.repeat == round % 2);
      seen.insert(step.point);
    }
    CHECK(seen.size() == 8);
  }
  CHECK(plan.order == make_plan(settings, loads, 2, 7, false).order);
  CHECK(plan.order != make_plan(settings, loads, 2, 8, false).order);
  const SweepPlan listed = make_plan(settings, loads, 1, 7, true);
  CHECK(std::is_sorted(listed.order.begin(), listed.order.end(),
                       [](const SweepStep& a, const SweepStep& b) { return a.point < b.point; }));
}

TEST_CASE("a plan comes back from the store as it was") {
  SweepPlan plan = make_plan({{"tp", {"1", "2"}}}, {{"rate", {"1", "2"}}}, 3, 1, false);
  plan.at = {20, 50};
  plan.device_hour = "9.8CNY";
  plan.options = {json::object{{"flag", "--vary"}, {"value", "rate=1,2"}}};
  const auto read = sweep_plan_from(to_json(plan));
  REQUIRE(read.ok());
  CHECK(to_json(*read) == to_json(plan));
  CHECK(read->order == plan.order);
  json::object odd = to_json(plan);
  odd["order"] = json::array{json::array{99, 0}};
  CHECK_FALSE(sweep_plan_from(odd).ok());
  odd = to_json(plan);
  odd["schema"] = "other";
  CHECK_FALSE(sweep_plan_from(odd).ok());
}

}  // namespace scoville::cli
