#include "decide/history.hpp"

#include <doctest/doctest.h>

#include "base/rng.hpp"
#include "decide/made_arm.hpp"

namespace scoville::decide {
namespace {

/// A point of five runs around this TPOT (ms), 0.4 % apart.
Arm five_around(double millis, const std::string& engine = "0.9.1") {
  Arm arm = arm_of_tpots("p", {millis, millis * 1.004, millis * 0.996, millis * 1.002, millis * 0.998});
  arm.setup.system.add("engine.version", json::string(engine), "test");
  return arm;
}

std::vector<Arm> ones(const std::vector<double>& millis) {
  std::vector<Arm> out;
  for (const double each : millis) out.push_back(arm_of_tpots("p", {each}));
  return out;
}

}  // namespace

TEST_CASE("T-PET-1: twenty runs alone, a step of 17.5 % behind the twelfth, p = 0.00277") {
  const History history = follow(ones({20.4, 20.5, 20.3, 20.6, 20.4, 20.2, 20.5, 20.3, 20.4, 20.6,
                                       20.5, 20.4, 23.9, 24.1, 23.8, 24.0, 24.2, 23.9, 24.0, 24.1}));
  REQUIRE(history.steps.size() == 1);
  const Step& step = history.steps[0];
  CHECK(step.before == 11);
  CHECK(step.after == 12);
  CHECK(step.p == doctest::Approx(0.00276778).epsilon(1e-5));
  CHECK(step.change == doctest::Approx(0.175031).epsilon(1e-5));
  CHECK(step.is_worse);
  CHECK(history.plateau.front() == 12);  // the newest is held against what came since
  CHECK(history.plateau.back() == 18);
  CHECK(history.outcome == Outcome::unknown);  // one run is too few
  CHECK(history.compared()->reason == NoVerdict::too_few_runs);
}

TEST_CASE("the newest of four points is a tenth slower: the step stands before it, the version beside it") {
  const History history = follow({five_around(10), five_around(10.02), five_around(9.99), five_around(11, "0.10.0")});
  REQUIRE(history.steps.size() == 1);
  CHECK(history.steps[0].before == 2);
  CHECK(history.steps[0].after == 3);
  CHECK(history.steps[0].p < 0.05);
  CHECK(history.points[1].changes.empty());
  REQUIRE(history.points[3].changes.size() == 1);
  CHECK(history.points[3].changes[0].key == "engine");
  CHECK(history.points[3].changes[0].before.find("0.9.1") != std::string::npos);
  CHECK(history.points[3].changes[0].after.find("0.10.0") != std::string::npos);
  CHECK(history.plateau == std::vector<std::size_t>{0, 1, 2});
  CHECK(history.outcome == Outcome::slower);
  CHECK(history.compared()->ratio->value == doctest::Approx(10.0 / 11).epsilon(0.01));
}

TEST_CASE("once the new level is measured again, it is the plateau, and holds") {
  const History history =
      follow({five_around(10), five_around(10.02), five_around(9.99), five_around(11), five_around(11.01)});
  REQUIRE(history.steps.size() == 1);
  CHECK(history.steps[0].after == 3);
  CHECK(history.plateau == std::vector<std::size_t>{3});
  CHECK(history.outcome == Outcome::holds);
}

TEST_CASE("two steps are found, one up and one down") {
  std::vector<Arm> points;
  for (const double millis : {10.0, 10.0, 10.0, 12.0, 12.0, 12.0, 10.0, 10.0, 10.0})
    points.push_back(five_around(millis));
  points.push_back(five_around(10));
  const History history = follow(std::move(points));
  REQUIRE(history.steps.size() == 2);
  CHECK(history.steps[0].after == 3);
  CHECK(history.steps[0].is_worse);
  CHECK(history.steps[1].after == 6);
  CHECK_FALSE(history.steps[1].is_worse);
  CHECK(history.outcome == Outcome::holds);
}

TEST_CASE("a faster newest holds; for a rate, lower is worse") {
  CHECK(follow({five_around(10), five_around(10), five_around(9)}).outcome == Outcome::holds);
  HistoryOptions options;
  options.metric = "output_tokens_per_s";
  const std::vector<double> before{100, 101, 99, 100.5, 99.5}, after{90, 91, 89, 90.5, 89.5};
  const History history =
      follow({arm_of_rates("a", before), arm_of_rates("b", before), arm_of_rates("c", after)}, options);
  REQUIRE(history.steps.size() == 1);
  CHECK(history.steps[0].is_worse);
  CHECK(history.outcome == Outcome::slower);
}

TEST_CASE("a difference within the margin holds, and a wider margin lets more of it pass") {
  CHECK(follow({five_around(10), five_around(10), five_around(10.1)}).outcome == Outcome::holds);
  CHECK(follow({five_around(10), five_around(10), five_around(10.4)}).outcome == Outcome::slower);
  HistoryOptions options;
  options.margin = 0.1;
  CHECK(follow({five_around(10), five_around(10), five_around(10.4)}, options).outcome == Outcome::holds);
}

TEST_CASE("points of another load are shown and not used, unless that is allowed") {
  Arm other = five_around(20);
  other.setup.load.max_concurrency = 32;
  std::vector<Arm> points{other, five_around(10), five_around(10)};
  const History history = follow(points);
  REQUIRE(history.points[0].refused.size() == 1);
  CHECK(history.points[0].refused[0].key == "load.concurrency");
  CHECK(history.points[1].changes[0].key == "load.concurrency");
  CHECK(history.used_runs == 10);
  CHECK(history.plateau == std::vector<std::size_t>{1});
  HistoryOptions options;
  options.allow = {"load.concurrency"};
  CHECK(follow(points, options).points[0].is_used());
}

TEST_CASE("a newest point alone, or unfit, says so") {
  CHECK(follow({five_around(10)}).outcome == Outcome::alone);
  Arm unfit = five_around(10);
  unfit.runs[0].statistics.instrument = analyse::Verdict::bottleneck;
  CHECK(follow({five_around(10), unfit}).outcome == Outcome::refused);
}

TEST_CASE("a long plateau is cut to its newest runs, so that the exact test can serve it") {
  std::vector<Arm> points(30, five_around(10));
  points[0] = five_around(10.001);
  const History history = follow(std::move(points));
  CHECK(history.newest->base_runs == 90);
  CHECK(history.newest->candidate_runs == 5);
  CHECK(history.outcome == Outcome::holds);
}

TEST_CASE("A/A: a level with noise of 1 % shows a step, or a slower newest, in few of 200 histories") {
  Rng rng(12);
  int steps = 0, slower = 0;
  for (int draw = 0; draw < 200; ++draw) {
    std::vector<Arm> points;
    for (int point = 0; point < 6; ++point) {
      std::vector<double> runs;
      for (int run = 0; run < 5; ++run) runs.push_back(10 * (1 + 0.01 * rng.normal()));
      points.push_back(arm_of_tpots("p", runs));
    }
    const History history = follow(std::move(points));
    steps += history.steps.empty() ? 0 : 1;
    slower += history.outcome == Outcome::slower ? 1 : 0;
  }
  CHECK(steps <= 4);
  CHECK(slower <= 4);
}

}  // namespace scoville::decide
