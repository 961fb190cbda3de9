#include "migration/estimate.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace scoville::migration {
namespace {

Item item(const std::string& id, double low, double likely, double high, bool to_first_token = false) {
  return {id, {id, id}, low, likely, high, Basis::estimate, "", "test", "", to_first_token};
}

Plan plan_of(std::vector<Item> items) {
  Plan out;
  out.items = std::move(items);
  return out;
}

Log logged(const std::string& lines) {
  Result<Log> log = Log::parse(lines, "n.jsonl");
  REQUIRE_MESSAGE(log.ok(), log.error().message);
  return *std::move(log);
}

std::string booking(const std::string& item, double days, bool done) {
  Entry entry;
  entry.kind = Entry::Kind::booked;
  entry.date = "2026-08-20";
  entry.item = item;
  entry.days = days;
  entry.is_done = done;
  return line_of(entry) + "\n";
}

}  // namespace

TEST_CASE("quantiles of a triangle, by hand: 10, 20, 40") {
  const Item one = item("a", 10, 20, 40);
  CHECK(quantile_of(one, Shape::triangular, 0) == 10);
  CHECK(quantile_of(one, Shape::triangular, 1) == 40);
  CHECK(quantile_of(one, Shape::triangular, 1.0 / 3) == doctest::Approx(20));  // the turn: (20 − 10) / 30
  CHECK(quantile_of(one, Shape::triangular, 0.5) == doctest::Approx(40 - std::sqrt(300)));  // 40 − √(0.5·30·20)
  CHECK(quantile_of(item("a", 7, 7, 7), Shape::triangular, 0.3) == 7);
}

TEST_CASE("PERT of a symmetric range is Beta(3, 3): its quarter lies at 0.3594") {
  // I_x(3, 3) = 10x³ − 15x⁴ + 6x⁵ = 0.25 at x = 0.359436.
  CHECK(quantile_of(item("a", 0, 50, 100), Shape::pert, 0.25) == doctest::Approx(35.9436).epsilon(1e-5));
  CHECK(quantile_of(item("a", 0, 50, 100), Shape::pert, 0.5) == doctest::Approx(50));
}

TEST_CASE("one item: the percentiles are those of its range") {
  const Estimate estimate = work_out(plan_of({item("a", 10, 20, 40)}));
  CHECK(estimate.person_days.p10 == doctest::Approx(10 + std::sqrt(0.1 * 30 * 10)).epsilon(0.01));
  CHECK(estimate.person_days.p50 == doctest::Approx(40 - std::sqrt(300)).epsilon(0.01));
  CHECK(estimate.person_days.p90 == doctest::Approx(40 - std::sqrt(0.1 * 30 * 20)).epsilon(0.01));
  CHECK(estimate.person_days.mean == doctest::Approx(70.0 / 3).epsilon(0.01));
}

TEST_CASE("a sum of independent items is narrower than the sum of their ends; of correlated ones it is not") {
  std::vector<Item> items;
  for (int i = 0; i < 8; ++i) items.push_back(item("i" + std::to_string(i), 0, 50, 100));
  Plan plan = plan_of(items);
  // Var of each: (b − a)²/24 = 416.67; of the sum 3333.3, sd 57.74; P90 of a near-normal sum: 400 + 1.2816 · 57.74 =
  // 474.
  const Estimate independent = work_out(plan);
  CHECK(independent.person_days.p90 == doctest::Approx(474).epsilon(0.01));
  plan.correlation = 1;  // all at their own P90: 8 · (100 − √(0.1·100·50)) = 621.1
  CHECK(work_out(plan).person_days.p90 == doctest::Approx(8 * (100 - std::sqrt(500))).epsilon(0.01));
}

TEST_CASE("the same seed is the same answer, another one nearly so") {
  Plan plan = plan_of({item("a", 10, 20, 40), item("b", 5, 30, 90)});
  const Estimate first = work_out(plan), again = work_out(plan);
  CHECK(first.person_days.p50 == again.person_days.p50);
  plan.seed = 2;
  CHECK(work_out(plan).person_days.p50 != first.person_days.p50);
  CHECK(work_out(plan).person_days.p50 == doctest::Approx(first.person_days.p50).epsilon(0.02));
}

TEST_CASE("months are twelfths of the working days of a year; money goes by the day") {
  Plan plan = plan_of({item("a", 220, 220, 220)});
  plan.people = PeopleCost{450'000, "CNY", "HR", ""};
  const Estimate estimate = work_out(plan);
  CHECK(estimate.engineer_months.p50 == doctest::Approx(12));
  CHECK(estimate.cost_p50->amount == doctest::Approx(450'000));
  CHECK(estimate.cost_p50->currency == "CNY");
  plan.people.reset();
  CHECK_FALSE(work_out(plan).cost_p50);
}

TEST_CASE("booked days replace a range once it is done, and bound it from below until then") {
  const Plan plan = plan_of({item("a", 10, 20, 40), item("b", 5, 5, 5)});
  const Log done = logged(booking("a", 33, true));
  CHECK(work_out(plan, &done).person_days.p10 == 38);
  CHECK(work_out(plan, &done).person_days.p90 == 38);
  CHECK(work_out(plan, &done).items[0].state == ItemEstimate::State::logged);
  const Log begun = logged(booking("a", 30, false));
  CHECK(work_out(plan, &begun).person_days.p10 == 35);
  CHECK(work_out(plan, &begun).person_days.p90 > 35);
  const Log other = logged(booking("c", 4, false));
  CHECK(work_out(plan, &other).person_days.p10 == doctest::Approx(4 + work_out(plan).person_days.p10));
  CHECK(work_out(plan, &other).booked_elsewhere == std::vector<std::string>{"c"});
}

TEST_CASE("the first token ends the estimate of the work up to it") {
  Plan plan = plan_of({item("a", 10, 30, 90, true), item("b", 5, 10, 20, true), item("c", 7, 7, 7)});
  plan.engineers = 2;
  const std::string begun = "{\"kind\":\"entered\",\"date\":\"2026-08-01\",\"stage\":\"bring-up\"}\n";
  const std::string token = "{\"kind\":\"first_token\",\"date\":\"2026-08-29\"}\n";
  const Log days = logged(begun + token);  // 28 days, 20 of them worked, by two
  const Estimate by_days = work_out(plan, &days);
  CHECK(by_days.person_days.p10 == doctest::Approx(47));
  CHECK(by_days.person_days.p90 == doctest::Approx(47));
  CHECK(by_days.items[0].booked == doctest::Approx(30));  // 40 · 30/40
  CHECK(by_days.items[0].state == ItemEstimate::State::first_token);
  const Log both = logged(begun + booking("a", 25, false) + token);
  CHECK(work_out(plan, &both).person_days.p90 == doctest::Approx(32));  // what was booked, not what the calendar says
}

TEST_CASE("which part makes the sum uncertain is told; parts that are assumed are counted") {
  Plan plan = plan_of({item("a", 0, 50, 100), item("b", 10, 10, 10)});
  plan.items[1].basis = Basis::assumption;
  const Estimate estimate = work_out(plan);
  CHECK(estimate.items[0].spread_share == doctest::Approx(1));
  CHECK(estimate.items[1].spread_share == 0);
  CHECK(estimate.assumed == 1);
}

}  // namespace scoville::migration
