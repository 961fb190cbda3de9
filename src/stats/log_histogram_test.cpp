#include "stats/log_histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"

namespace scoville::stats {
using namespace std::chrono_literals;

namespace {

Nanos read_back(Nanos value) {
  LogHistogram histogram;
  histogram.record(value);
  return histogram.quantile(0.5).value();
}

}  // namespace

TEST_CASE("every nanosecond up to 2,047 reads back as itself") {
  for (const Nanos value : {0ns, 1ns, 1023ns, 1024ns, 2047ns}) CHECK(read_back(value) == value);
}

TEST_CASE("any duration up to an hour reads back within 0.05 %") {
  Rng rng(11);
  for (int i = 0; i < 500; ++i) {
    const Nanos value(std::llround(std::exp(rng.uniform() * std::log(3.6e12))));
    const auto error = static_cast<double>((read_back(value) - value).count()) / static_cast<double>(value.count());
    CAPTURE(value.count());
    CHECK(std::fabs(error) <= 1.0 / 2048);
  }
  for (int power = 11; power <= 41; ++power) {  // both sides of each doubling
    for (const std::int64_t off : {-1, 0, 1}) {
      const std::int64_t value = (std::int64_t{1} << power) + off;
      CHECK(std::abs(static_cast<double>(read_back(Nanos(value)).count() - value)) <=
            static_cast<double>(value) / 2048);
    }
  }
  CHECK(read_back(LogHistogram::kMost) <= LogHistogram::kMost);
}

TEST_CASE("quantiles agree with those of the values themselves") {
  Rng rng(12);
  LogHistogram histogram;
  std::vector<double> values;
  for (int i = 0; i < 20'000; ++i) {
    const Nanos value(std::llround(20e6 * rng.exponential()));
    histogram.record(value);
    values.push_back(static_cast<double>(value.count()));
  }
  std::ranges::sort(values);
  for (const double p : {0.0, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(p * 20'000)));
    CHECK(static_cast<double>(histogram.quantile(p)->count()) == doctest::Approx(values[rank - 1]).epsilon(0.0005));
  }
}

TEST_CASE("merged parts are the histogram of the whole, bucket by bucket") {
  Rng rng(13);
  LogHistogram whole, left, right;
  for (int i = 0; i < 10'000; ++i) {
    const Nanos value = i % 100 == 0 ? Nanos(2h) : Nanos(std::llround(1e6 * rng.exponential()) - 10'000);
    whole.record(value);
    (i % 3 == 0 ? left : right).record(value);
  }
  left.merge(right);
  CHECK(std::ranges::equal(left.counts(), whole.counts()));
  CHECK(left.count() == 10'000);
  CHECK(left.below_range() == whole.below_range());
  CHECK(left.above_range() == 100);
  CHECK(whole.below_range() > 0);
}

TEST_CASE("what is out of range is counted, never clamped into a bucket") {
  LogHistogram histogram;
  histogram.record(-1ns);
  histogram.record(5ns, 2);
  histogram.record(LogHistogram::kMost + 1ns);
  CHECK(histogram.count() == 4);
  CHECK(histogram.below_range() == 1);
  CHECK(histogram.above_range() == 1);
  CHECK_FALSE(histogram.quantile(0.25).has_value());
  CHECK(histogram.quantile(0.5) == 5ns);
  CHECK(histogram.quantile(0.75) == 5ns);
  CHECK_FALSE(histogram.quantile(1).has_value());
}

TEST_CASE("counts can be stored and come back; those of another layout cannot") {
  LogHistogram histogram;
  histogram.record(3ms, 7);
  histogram.record(2h);
  const auto back = LogHistogram::from_counts(histogram.counts(), 0, 1);
  REQUIRE(back.has_value());
  CHECK(back->count() == 8);
  CHECK(back->quantile(0.5) == histogram.quantile(0.5));
  CHECK_FALSE(LogHistogram::from_counts(histogram.counts().first(100)).has_value());
}

TEST_CASE("an empty histogram has no quantile") {
  CHECK_FALSE(LogHistogram().quantile(0.5).has_value());
  CHECK_FALSE(LogHistogram().quantile(NAN).has_value());
}

}  // namespace scoville::stats
