#include "workload/arrivals.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"

namespace scoville::workload {
namespace {

using namespace std::chrono_literals;

/// Gaps drawn from a gamma distribution of mean 1 s.
std::vector<Nanos> gamma_times(std::size_t count, double shape, double rate_change = 1, std::uint64_t seed = 7) {
  Rng random(seed);
  std::vector<Nanos> times{Nanos(0)};
  for (std::size_t i = 1; i < count; ++i) {
    const double slower = i < count / 2 ? 1 : rate_change;
    times.push_back(times.back() + from_seconds(random.gamma(shape) / shape * slower));
  }
  return times;
}

}  // namespace

TEST_CASE("rate and variation by hand: gaps of 1, 1, 4 s") {
  const std::vector<Nanos> times{0s, 1s, 2s, 6s};
  const Arrivals seen = describe_arrivals(times);
  CHECK(seen.span == 6s);
  CHECK(*seen.rate == doctest::Approx(0.5));                    // 3 gaps in 6 s
  CHECK(*seen.variation == doctest::Approx(std::sqrt(2) / 2));  // mean 2, squares 1 + 1 + 4, σ = √2
  CHECK(*seen.burstiness == doctest::Approx(2));
  CHECK(seen.regularity == Regularity::unknown);
  CHECK(seen.parts == 0);
}

TEST_CASE("without two times there is no rate, and none where all are equal") {
  CHECK_FALSE(describe_arrivals({}).rate);
  const std::vector<Nanos> equal{5s, 5s, 5s};
  CHECK_FALSE(describe_arrivals(equal).rate);
}

TEST_CASE("a Poisson process is told from burstier and from more regular ones") {
  int not_poisson = 0;  // of 200 Poisson processes one in twenty is called something else: 10 ± 3
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    not_poisson += describe_arrivals(gamma_times(500, 1, 1, seed)).regularity != Regularity::poisson;
  }
  CHECK(not_poisson >= 1);
  CHECK(not_poisson <= 20);
  CHECK(describe_arrivals(gamma_times(2000, 0.5)).regularity == Regularity::bursty);
  CHECK(describe_arrivals(gamma_times(2000, 4)).regularity == Regularity::regular);
  CHECK(*describe_arrivals(gamma_times(20000, 0.5)).burstiness == doctest::Approx(0.5).epsilon(0.05));
}

TEST_CASE("constant gaps have no burstiness to name") {
  std::vector<Nanos> times;
  for (int i = 0; i < 100; ++i) times.push_back(i * 1s);
  const Arrivals seen = describe_arrivals(times);
  CHECK(*seen.variation == doctest::Approx(0));
  CHECK_FALSE(seen.burstiness);
  CHECK(seen.regularity == Regularity::regular);
  CHECK_FALSE(seen.is_uneven);
}

TEST_CASE("a rate that changes is told, bursts alone are not") {
  CHECK(describe_arrivals(gamma_times(2000, 1, 3)).is_uneven);
  CHECK_FALSE(describe_arrivals(gamma_times(2000, 1)).is_uneven);
  CHECK_FALSE(describe_arrivals(gamma_times(2000, 0.3)).is_uneven);
}

}  // namespace scoville::workload
