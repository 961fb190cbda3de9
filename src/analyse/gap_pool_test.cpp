#include "analyse/gap_pool.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"
#include "base/rng.hpp"

namespace scoville::analyse {
namespace {
using namespace std::chrono_literals;

/// `requests` with `gaps` gaps each of about `mean` ms, as a generator draws them.
std::vector<event::RequestRecord> drawn(std::size_t requests, std::size_t gaps, double mean, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<event::RequestRecord> records;
  for (std::size_t i = 0; i < requests; ++i) {
    std::vector<double> times{1000};
    for (std::size_t k = 0; k < gaps; ++k) times.push_back(times.back() + mean * (0.5 + rng.uniform()));
    records.push_back(answered(0, times, times.back()));
  }
  return records;
}

Metric pooled(const std::vector<event::RequestRecord>& records, std::vector<double> quantiles = {0.5}) {
  return filled(GapPool(records.size()), records).metric(quantiles);
}

}  // namespace

TEST_CASE("pooled gaps get intervals from batches of requests alone") {
  const Metric few = pooled(drawn(19, 100, 10));
  CHECK(few.at(0.5)->reason == NoInterval::pooled);  // twenty batches want twenty requests
  CHECK_FALSE(few.at(0.5)->low.has_value());
  const Metric many = pooled(drawn(40, 50, 10));
  REQUIRE(many.at(0.5)->is_by_batches);
  CHECK(many.at(0.5)->level == 0.95);
  CHECK(*many.at(0.5)->low < *many.at(0.5)->value);
  CHECK(*many.at(0.5)->value < *many.at(0.5)->high);
}

TEST_CASE("the interval of the median gap holds the true one about as often as it says") {
  int shown = 0, right = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Metric metric = pooled(drawn(60, 30, 10, seed));
    const Quantile& median = *metric.at(0.5);
    if (!median.low) continue;  // batches that resembled each other by chance
    ++shown;
    right += *median.low <= 10ms && *median.high >= 10ms;  // uniform on 5 … 15 ms
  }
  CHECK(shown > 250);
  CHECK(right > 0.91 * shown);
}

TEST_CASE("ten thousand gaps of ten requests do not support a median: ten requests do not") {
  CHECK_FALSE(pooled(drawn(10, 1000, 10)).at(0.5)->is_supported);
  CHECK(pooled(drawn(11, 10, 10)).at(0.5)->is_supported);
}

TEST_CASE("gaps of which more than half are 0 have a mean, but no quantiles") {
  auto records = list_of(answered(0, {10, 10, 10, 40, 70}, 70));
  CHECK(filled(GapPool(1), records).zero_share() == 0.5);  // half is not more than half
  CHECK(pooled(records).at(0.5)->value == 0ms);
  records = list_of(answered(0, {10, 10, 10, 10, 40, 70}, 70));
  const Metric metric = pooled(records);
  CHECK(metric.mean == 12ms);
  CHECK(metric.largest == 30ms);
  CHECK_FALSE(metric.at(0.5)->value.has_value());
  CHECK(metric.at(0.5)->reason == NoInterval::coalesced);
  CHECK_FALSE(filled(GapPool(0), {}).zero_share().has_value());
}

}  // namespace scoville::analyse
