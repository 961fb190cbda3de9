#include "analyse/slo_sample.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {

std::vector<plan::Slo> limits(std::vector<plan::SloMetric> metrics) {
  std::vector<plan::Slo> out;
  for (const plan::SloMetric each : metrics) out.push_back({each, 0.99, ms(500), ""});
  return out;
}

}  // namespace

TEST_CASE("a sample counts from due, in the order of issue") {
  auto records = list_of(answered(120, {150, 160}, 161), answered(10, {40, 50, 60}, 61));
  records[0].due = at_ms(100);
  records[1].due = at_ms(0);
  using enum plan::SloMetric;
  const SloSample sample = slo_sample(pointers(records), limits({ttft, tpot, e2e}));
  REQUIRE(sample.size() == 2);
  CHECK(sample.at[0] == 0);
  CHECK(sample.at[1] == doctest::Approx(0.1));
  CHECK(sample.latencies[0][0] == doctest::Approx(0.040));
  CHECK(sample.latencies[0][1] == doctest::Approx(0.050));
  CHECK(sample.latencies[1][0] == doctest::Approx(0.010));  // (60 − 40) ms ÷ 2
  CHECK(sample.latencies[2][1] == doctest::Approx(0.061));
  CHECK(sample.first_token[0] == sample.latencies[0][0]);
  CHECK(sample.end[1] == sample.latencies[2][1]);
}

TEST_CASE("a failed request is over every limit, and says nothing of a queue") {
  const auto records = list_of(answered(0, {40}, 41), failure(10, 20, event::Failure::http_status),
                               failure(20, 620, event::Failure::timeout_request));
  const SloSample sample = slo_sample(pointers(records), limits({plan::SloMetric::ttft}));
  REQUIRE(sample.size() == 3);
  CHECK(std::isinf(sample.latencies[0][1]));
  CHECK(std::isinf(sample.latencies[0][2]));
  CHECK(std::isnan(sample.first_token[1]));
  CHECK(std::isnan(sample.end[2]));
}

TEST_CASE("one token meets a TPOT limit; a stream collected on its way does not") {
  auto records = list_of(answered(0, {40}, 41), answered(10, {50, 50}, 51));
  records[1].flags.set(event::Flag::burst_stream);
  const SloSample sample = slo_sample(pointers(records), limits({plan::SloMetric::tpot}));
  CHECK(sample.latencies[0][0] == 0);
  CHECK(std::isinf(sample.latencies[0][1]));
}

TEST_CASE("the warm-in is cut from every series alike") {
  const auto records = list_of(answered(0, {40}, 41), answered(10, {60}, 61), answered(20, {80}, 81));
  const SloSample whole = slo_sample(pointers(records), limits({plan::SloMetric::ttft}));
  const SloSample rest = whole.without_first(2);
  CHECK(rest.size() == 1);
  CHECK(rest.at[0] == whole.at[2]);
  CHECK(rest.latencies[0] == std::vector<double>{whole.latencies[0][2]});
  CHECK(rest.end.size() == 1);
  CHECK(whole.without_first(9).size() == 0);
}

}  // namespace scoville::analyse
