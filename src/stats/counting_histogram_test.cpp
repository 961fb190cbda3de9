#include "stats/counting_histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "base/rng.hpp"
#include "stats/quantile.hpp"

using namespace scoville;
using stats::CountingHistogram;

TEST_CASE("its order statistics are those of the sorted values, negative, small and large ones") {
  Rng rng(3);
  CountingHistogram histogram;
  std::vector<double> sorted;
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t value = static_cast<std::int64_t>(rng.below(200'000)) - 20'000;
    histogram.add(value);
    sorted.push_back(static_cast<double>(value));
  }
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(histogram.count() == 3000);
  for (std::size_t rank = 1; rank <= 3000; rank += 13)
    CHECK(static_cast<double>(histogram.at_rank(rank)) == sorted[rank - 1]);
  for (const double p : {0.0, 0.001, 0.5, 0.99, 1.0}) {
    CHECK(static_cast<double>(*histogram.quantile(p)) == *stats::nearest_rank_quantile(sorted, p));
    CHECK(*histogram.linear_quantile(p) == doctest::Approx(*stats::linear_quantile(sorted, p)));
  }
}

TEST_CASE("two merged are the one of all values") {
  CountingHistogram a, b;
  for (const int each : {5, 70'000}) a.add(each);
  for (const int each : {5, -3, 70'000}) b.add(each);
  a.merge(b);
  CHECK(a.count() == 5);
  CHECK(a.count_of(5) == 2);
  CHECK(a.count_of(70'000) == 2);
  CHECK(a.at_rank(1) == -3);
}

TEST_CASE("without values there is no quantile") {
  const CountingHistogram empty;
  CHECK_FALSE(empty.quantile(0.5).has_value());
  CHECK_FALSE(empty.linear_quantile(0.5).has_value());
  CHECK(empty.count_of(0) == 0);
}
