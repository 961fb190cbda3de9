#include "decide/sweep.hpp"

#include <doctest/doctest.h>

namespace scoville::decide {
namespace {

/// x tokens/s per user, y tokens/s.
SweepPoint made(std::size_t settings, double x, double y, Choices load = {}) {
  SweepPoint out;
  out.settings = settings;
  out.load = std::move(load);
  out.state = PointState::measured;
  SweepRun run;
  run.output_per_s = y;
  run.tpot_s = 1 / x;
  run.attempted = 130;
  out.runs = {run};
  return out;
}

using Devices = std::vector<std::optional<int>>;
using Places = std::vector<std::size_t>;

}  // namespace

TEST_CASE("T-PF-1 through a sweep: two settings, who wins depends on x") {
  std::vector<SweepPoint> points;
  for (const auto& [x, y] : {std::pair{20, 5200}, {40, 4100}, {60, 2900}, {55, 2500}, {90, 1500}, {100, 1500}})
    points.push_back(made(0, x, y));
  for (const auto& [x, y] : {std::pair{25, 6000}, {45, 3900}, {70, 2000}, {95, 900}}) points.push_back(made(1, x, y));
  const double at[] = {25, 30, 45, 50, 70, 95, 100};
  const SweepOutcome out = judge_sweep(points, Devices{1, 1}, {}, at);
  REQUIRE(out.frontiers.size() == 1);
  const SweepFrontier& all = out.frontiers[0];
  CHECK(all.on == Places{6, 1, 7, 2, 8, 5});  // of both: 25, 40, 45, 60, 70, 100
  const double expected[] = {1.46341, 0.951220, 1.34483, 0.689655, 1.33333, 0.6};
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(all.read[i].each[1].ratio.value() == doctest::Approx(expected[i]).epsilon(1e-5));
  CHECK_FALSE(all.read[6].each[1].ratio.has_value());
  CHECK_FALSE(all.read[6].each[1].point.has_value());
  CHECK(all.read[6].best == 5);
  CHECK(all.read[3].best == 2);  // at 50: A's (60, 2900)
}

TEST_CASE("what was not measured rightly is never on a frontier, and says why") {
  std::vector<SweepPoint> points{made(0, 10, 100), made(0, 20, 900), made(0, 20, 900), made(0, 20, 900),
                                 made(0, 20, 900), made(0, 20, 900), made(0, 20, 900)};
  points[1].runs[0].is_client_limited = true;
  points[2].runs[0].failed = 1;
  points[3].runs[0].queue_grows = true;
  points[4].runs[0].drifts = true;
  points[5].runs[0].tpot_s.reset();
  points[6].state = PointState::not_started;
  CHECK(judge_sweep(points, Devices{1}, {}, {}).frontiers[0].on == Places{0});
  const char* expected[] = {"none", "client_limited", "failures", "queue_grows", "drifts", "unknown", "not_measured"};
  for (std::size_t i = 0; i < points.size(); ++i) CHECK(name_of(out_of_frontier(points[i])) == expected[i]);
}

TEST_CASE("per device where all numbers are known, else of the whole system") {
  const std::vector<SweepPoint> points{made(0, 10, 1000), made(1, 10, 1600)};
  const SweepOutcome each = judge_sweep(points, Devices{1, 2}, {}, {});
  CHECK(each.is_per_device);
  CHECK(each.frontiers[0].on == Places{0});  // 1000 a device against 800
  const SweepOutcome whole = judge_sweep(points, Devices{1, std::nullopt}, {}, {});
  CHECK_FALSE(whole.is_per_device);
  CHECK(whole.frontiers[0].on == Places{1});
}

TEST_CASE("other lengths are another workload: a frontier each") {
  const std::vector<SweepPoint> points{made(0, 10, 100, {{"concurrency", "1"}, {"input-len", "16"}}),
                                       made(0, 20, 900, {{"concurrency", "1"}, {"input-len", "8"}}),
                                       made(0, 5, 200, {{"concurrency", "2"}, {"input-len", "16"}})};
  const SweepOutcome out = judge_sweep(points, Devices{1}, {}, {});
  REQUIRE(out.frontiers.size() == 2);
  CHECK(out.frontiers[0].on == Places{2, 0});
  CHECK(out.frontiers[1].on == Places{1});
}

TEST_CASE("precisions are ranked together only behind their gate") {
  const std::vector<SweepPoint> points{made(0, 10, 100), made(1, 20, 900), made(2, 20, 950)};
  const Devices devices{1, 1, 1};
  std::vector<SettingsPair> pairs{{0, 1, Standing::no_gate, ""}, {0, 2, Standing::no_gate, ""}};
  SweepOutcome out = judge_sweep(points, devices, pairs, {});
  REQUIRE(out.frontiers.size() == 2);
  CHECK(out.frontiers[0].on == Places{0});
  CHECK(out.frontiers[1].on == Places{2});
  pairs[0] = {0, 1, Standing::gate_passed, "c1"};
  out = judge_sweep(points, devices, pairs, {});
  REQUIRE(out.frontiers.size() == 2);
  CHECK(out.frontiers[0].settings == Places{0, 1});
  CHECK(out.frontiers[0].on == Places{1});
  CHECK(out.frontiers[1].settings == Places{2});
}

TEST_CASE("the median over runs; one run without the figure leaves none") {
  SweepPoint point = made(0, 10, 100);
  point.runs.push_back(made(0, 10, 300).runs[0]);
  point.runs.push_back(made(0, 10, 110).runs[0]);
  CHECK(figures_of(point).output_per_s == 110);
  point.runs[1].output_per_s.reset();
  CHECK_FALSE(figures_of(point).output_per_s.has_value());
}

}  // namespace scoville::decide
