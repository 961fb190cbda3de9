#include "stats/clustering.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "base/rng.hpp"

namespace scoville::stats {
namespace {

using Pieces = std::vector<std::vector<double>>;

/// 0 and 1 by a Markov chain: a 1 stays with probability `stays`, and one in ten is a 1.
std::vector<double> chain(std::size_t n, double stays, std::uint64_t seed) {
  Rng rng(seed);
  const double begins = 0.1 * (1 - stays) / 0.9;
  std::vector<double> out;
  double now = 0;
  for (std::size_t i = 0; i < n; ++i) {
    now = rng.uniform() < (now > 0 ? stays : begins) ? 1 : 0;
    out.push_back(now);
  }
  return out;
}

}  // namespace

TEST_CASE("a two-state chain has the inflation (1 + λ) / (1 − λ) of theory") {
  // λ = stays − begins = 0.9 − 0.0111; 1.8889 / 0.1111 = 17.
  const Pieces pieces{chain(200'000, 0.9, 1)};
  CHECK(exceedance_inflation(pieces, 0.5) == doctest::Approx(17).epsilon(0.1));
}

TEST_CASE("independent values are worth nearly as many as they are") {
  const Pieces pieces{chain(20'000, 0.1, 2)};
  CHECK(exceedance_inflation(pieces, 0.5) < 1.1);
  CHECK(exceedance_inflation(pieces, 0.5) >= 1);
  CHECK(clustering_inflation(pieces, 0.5) < 1.3);
}

TEST_CASE("the fewer the values, the more the doubt adds") {
  const Pieces few{chain(200, 0.1, 3)}, many{chain(20'000, 0.1, 3)};
  CHECK(clustering_inflation(few, 0.5) > clustering_inflation(many, 0.5));
  CHECK(clustering_inflation(few, 0.5, 0) <= clustering_inflation(few, 0.5));
}

TEST_CASE("where nothing is over the limit, the clusters of lesser delays count") {
  // Ten long, ten short, ten long, …: nothing over 5, and all the same not a thousand independent values.
  Pieces pieces(1);
  for (std::size_t i = 0; i < 1000; ++i) pieces[0].push_back(i / 10 % 10 == 0 ? 2 : 1);
  CHECK(exceedance_inflation(pieces, 5) == 1);
  CHECK(clustering_inflation(pieces, 5) > 5);
}

TEST_CASE("two pieces are not neighbours of each other") {
  // Within each piece the values are all alike; only who joined them would see one long cluster.
  const std::vector<double> low(500, 0.0), high(500, 1.0);
  const Pieces apart{low, high};
  std::vector<double> joined = low;
  joined.insert(joined.end(), high.begin(), high.end());
  CHECK(exceedance_inflation(Pieces{joined}, 0.5) > 100);
  CHECK(exceedance_inflation(apart, 0.5) > 100);  // each is one cluster, whatever the other is
  CHECK(exceedance_inflation(Pieces{{0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1}}, 0.5) == 1);
}

TEST_CASE("what says nothing inflates nothing: few values, all alike") {
  CHECK(clustering_inflation(Pieces{{1, 2, 3}}, 2) == 1);
  CHECK(clustering_inflation(Pieces{}, 2) == 1);
  CHECK(exceedance_inflation(Pieces{std::vector<double>(100, 1.0)}, 0.5) == 1);
  CHECK(exceedance_inflation(Pieces{std::vector<double>(100, 1.0)}, 2) == 1);
}

}  // namespace scoville::stats
