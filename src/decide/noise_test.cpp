#include "decide/noise.hpp"

#include <doctest/doctest.h>

#include "decide/made_arm.hpp"

using namespace scoville;
using namespace scoville::decide;

namespace {

/// T-AA-1 as TPOTs: A is 10 ms, A' is 10 ms times the ratio.
const std::vector<double> kRatios{1.0021, .9968, 1.0043, .9989, 1.0012, .9951, 1.0060, .9993, 1.0035, .9974};

Arm alternating() {
  std::vector<double> tpots;
  for (const double each : kRatios) {
    tpots.push_back(10);
    tpots.push_back(10 * each);
  }
  return arm_of_tpots("a", tpots);
}

}  // namespace

TEST_CASE("T-AA-1: the floor of ten pairs") {
  const NoiseFloor found = measure_noise(alternating());
  CHECK(found.pairs == 10);
  CHECK(found.floors.at("tpot") == doctest::Approx(0.00551572).epsilon(1e-6));
  CHECK(found.ratios.at("tpot")[1] == doctest::Approx(.9968));
  CHECK(found.p.at("tpot") > 0.05);
  CHECK(found.floors.count("ttft") == 0);  // no run has it
}

TEST_CASE("two arms side by side are the same") {
  std::vector<double> again;
  for (const double each : kRatios) again.push_back(10 * each);
  const NoiseFloor found = measure_noise(arm_of_tpots("a", std::vector<double>(10, 10.0)), arm_of_tpots("b", again));
  CHECK(found.floors.at("tpot") == doctest::Approx(0.00551572).epsilon(1e-6));
}

TEST_CASE("nine pairs make no floor") {
  const NoiseFloor found = measure_noise(arm_of_tpots("a", std::vector<double>(19, 10.0)));
  CHECK(found.pairs == 9);
  CHECK(found.floors.empty());
}

TEST_CASE("a floor is read back as it was written") {
  const NoiseFloor floor = measure_noise(alternating());
  const auto read = noise_floor_from(to_json(floor));
  REQUIRE(read.ok());
  CHECK(to_json(*read) == to_json(floor));
  CHECK_FALSE(noise_floor_from(json::object{{"schema", "scoville.noise_floor/1"}}).ok());
  CHECK_FALSE(noise_floor_from(nullptr).ok());
}

TEST_CASE("a floor is found again by system and load") {
  Setup setup = made_setup();
  const std::string key = floor_key(setup);
  CHECK(floor_key(made_setup()) == key);
  setup.load.max_concurrency = 32;
  CHECK(floor_key(setup) != key);
  setup = made_setup();
  setup.system.add("driver.nvidia", "560.28", "test");
  CHECK(floor_key(setup) != key);
}

TEST_CASE("a harness that calls a difference in 4 of 20 A/A tests is broken, in 3 it is not") {
  const auto tests = [](int differences, int all) {
    std::vector<NoiseFloor> out(static_cast<std::size_t>(all));
    for (int i = 0; i < all; ++i) out[static_cast<std::size_t>(i)].p["tpot"] = i < differences ? 0.01 : 0.5;
    return out;
  };
  CHECK(judge_harness(tests(4, 20), "tpot").is_broken);
  CHECK(judge_harness(tests(4, 20), "tpot").chance == doctest::Approx(0.0159).epsilon(0.01));
  CHECK_FALSE(judge_harness(tests(3, 20), "tpot").is_broken);
  CHECK_FALSE(judge_harness(tests(1, 1), "tpot").is_broken);  // one is never enough
  CHECK(judge_harness(tests(0, 40), "tpot").tests == 20);
  CHECK(judge_harness(tests(0, 40), "ttft").tests == 0);
}
