#include "stats/goodput.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace scoville::stats {
namespace {

Attempt answered(double ttft, double tpot) { return {.ttft = ttft, .tpot = tpot, .e2e = std::nullopt, .ok = true}; }

const ServiceLimits kLimits{.ttft = 500, .tpot = 50, .e2e = std::nullopt};

}  // namespace

TEST_CASE("T-GP-1: only what kept every limit is good, and the failed one stays in the denominator") {
  const std::vector<Attempt> attempts{
      answered(180, 32), answered(240, 41), answered(900, 30),  answered(210, 65), {150, 38, std::nullopt, false},
      answered(300, 49), answered(199, 50), answered(205, 50.1)};
  const auto result = measure_goodput(attempts, kLimits, 4);
  REQUIRE(result.has_value());
  CHECK(*result == Goodput{.attempted = 8,
                           .good = 4,
                           .missed = 3,
                           .unmeasured = 0,
                           .failed = 1,
                           .attainment = 0.5,
                           .goodput = 1.0,
                           .throughput = 1.75});
}

TEST_CASE("a time that is not known is not good, unless nothing limits it or another limit was broken") {
  const std::vector<Attempt> attempts{{100, std::nullopt, std::nullopt, true}, {600, std::nullopt, std::nullopt, true}};
  const auto both = measure_goodput(attempts, kLimits, 1);
  CHECK(both->unmeasured == 1);
  CHECK(both->missed == 1);
  CHECK(both->good == 0);
  CHECK(measure_goodput(attempts, {.ttft = 500, .tpot = {}, .e2e = {}}, 1)->good == 1);
  CHECK(measure_goodput(attempts, {}, 1)->good == 2);
}

TEST_CASE("a limit on the whole answer counts like the others") {
  const std::vector<Attempt> attempts{{1, 1, 2000, true}, {1, 1, 2001, true}};
  CHECK(measure_goodput(attempts, {.ttft = {}, .tpot = {}, .e2e = 2000}, 1)->good == 1);
}

TEST_CASE("no requests or no time: null") {
  CHECK_FALSE(measure_goodput({}, kLimits, 1).has_value());
  const std::vector<Attempt> one{answered(1, 1)};
  for (const double seconds : {0.0, -1.0, double{NAN}, double{INFINITY}}) {
    CHECK_FALSE(measure_goodput(one, kLimits, seconds).has_value());
  }
}

}  // namespace scoville::stats
