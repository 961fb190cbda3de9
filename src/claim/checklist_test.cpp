#include "claim/checklist.hpp"

#include <doctest/doctest.h>

#include <set>

namespace scoville::claim {
namespace {

const PointState& point(const std::vector<PointState>& states, std::string_view id) {
  for (const PointState& each : states) {
    if (each.point->id == id) return each;
  }
  FAIL("no such point");
  return states.front();
}

}  // namespace

TEST_CASE("there are twenty points, in order, and each asks for fields that exist") {
  CHECK(points().size() == 20);
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < points().size(); ++i) {
    CHECK(points()[i].number == static_cast<int>(i + 1));
    ids.insert(points()[i].id);
  }
  CHECK(ids.size() == 20);
  CHECK(checklist(Claim{}).size() == 20);  // at() would abort on a key that is no field
}

TEST_CASE("of an empty claim all is missing, the weightiest first") {
  const auto states = checklist(Claim{});
  const auto list = missing(states);
  CHECK(list.size() == 20);
  for (std::size_t i = 1; i < list.size(); ++i) CHECK(list[i - 1]->weight >= list[i]->weight);
  CHECK(list.front()->weight == 5);
}

TEST_CASE("a point is there when all its fields are said, and tells those that are not") {
  Claim claim;
  claim.said["workload.isl"] = {"1024", "1024"};
  CHECK(point(checklist(claim), "lengths").lacks == std::vector<std::string>{"workload.osl"});
  claim.said["workload.osl"] = {"128", "128"};
  CHECK(point(checklist(claim), "lengths").verdict == PointVerdict::present);
}

TEST_CASE("either interactivity or a limit answers the tenth point") {
  Claim claim;
  claim.said["workload.slo"] = {"ttft:p99:5s", "ttft:p99:5s"};
  CHECK(point(checklist(claim), "slo").verdict == PointVerdict::present);
}

TEST_CASE("a ratio without the absolute figure behind it is half an answer") {
  Claim claim;
  claim.ratio = Ratio{30, 30};
  CHECK(point(checklist(claim), "size").lacks == std::vector<std::string>{"metric.baseline"});
}

TEST_CASE("a field that differs makes its point mismatched, and blocks by its class") {
  Claim claim;
  claim.said["numerics.weights"] = {"fp4", "fp8"};
  claim.said["software.engine"] = {"A", "B"};
  claim.said["workload.load"] = {"one stream", "shared"};
  const auto states = checklist(claim);
  CHECK(point(states, "precision").verdict == PointVerdict::mismatched);
  CHECK(point(states, "engine").verdict == PointVerdict::mismatched);
  const auto all = mismatches(claim);
  REQUIRE(all.size() == 3);
  CHECK(all[0].key == "workload.load");
  CHECK(all[0].is_blocking);
  CHECK(all[1].key == "numerics.weights");
  CHECK(all[1].is_blocking);
  CHECK(all[2].key == "software.engine");
  CHECK_FALSE(all[2].is_blocking);
}

TEST_CASE("power and price weigh most in a claim about them") {
  Claim claim;
  CHECK(point(checklist(claim), "power").weight == 2);
  claim.said["metric.name"] = {"perf_per_watt", "perf_per_watt"};
  CHECK(point(checklist(claim), "power").weight == 5);
  CHECK(point(checklist(claim), "price").weight == 2);
  claim.said["metric.name"] = {"roi", "roi"};
  CHECK(point(checklist(claim), "price").weight == 5);
}

TEST_CASE("a bare value is not asked about a comparator") {
  Claim claim;
  claim.value = 1800;
  const auto states = checklist(claim);
  CHECK(point(states, "generation").verdict == PointVerdict::not_asked);
  CHECK(point(states, "best_config").verdict == PointVerdict::not_asked);
  CHECK(point(states, "size").verdict == PointVerdict::present);
  CHECK(point(states, "devices").lacks == std::vector<std::string>{"subject.device", "subject.count", "subject.form"});
}

}  // namespace scoville::claim
