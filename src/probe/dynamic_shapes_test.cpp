#include "probe/dynamic_shapes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>

#include "base/rng.hpp"

namespace scoville::probe {
namespace {

using Lengths = std::vector<std::size_t>;

/// A server on which a length takes 10 + length / 10 ms and, where `compiles` says so, half a second once. Each time is
/// off by a factor e^(scatter · normal).
std::vector<LengthTimes> times_of(const Lengths& lengths, const std::function<bool(std::size_t)>& compiles,
                                  double scatter = 0.02, std::uint64_t seed = 1) {
  Rng rng(seed);
  const auto off = [&] { return std::exp(scatter * rng.normal()); };
  std::vector<LengthTimes> times;
  for (const std::size_t length : lengths) {
    const double work = 0.010 + static_cast<double>(length) * 1e-4;
    times.push_back({length, work * off() + (compiles(length) ? 0.5 : 0), work * off(), work * off()});
  }
  return times;
}

/// Compiles once for each value of `bucket_of`.
std::function<bool(std::size_t)> once_each(std::function<std::size_t(std::size_t)> bucket_of,
                                           std::set<std::size_t> has = {}) {
  return [=, seen = std::move(has)](std::size_t length) mutable { return seen.insert(bucket_of(length)).second; };
}

TEST_CASE("a server that compiles for every length recompiles, and the surcharge is what it takes to compile") {
  const ShapeFinding found = judge_shapes(times_of(unseen_lengths(20, 32, 1024, 7), [](std::size_t) { return true; }));
  CHECK(found.verdict == ShapeVerdict::recompiles);
  CHECK(found.surcharge.value() == doctest::Approx(0.5).epsilon(0.02));
  CHECK(found.buckets.empty());
}

TEST_CASE("identical work shows no difference") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto lengths = unseen_lengths(20, 32, 1024, seed);
    const ShapeFinding found = judge_shapes(times_of(
        lengths, [](std::size_t) { return false; }, 0.05, seed));
    REQUIRE(found.verdict == ShapeVerdict::free_of_charge);
    REQUIRE(!found.surcharge);
  }
}

TEST_CASE("a server that compiles for powers of two is bucketed, each bucket paid by the first of its lengths") {
  const Lengths lengths{40, 41, 100, 99, 60, 70, 300, 200, 500, 130};
  const ShapeFinding found =
      judge_shapes(times_of(lengths, once_each([](std::size_t length) { return std::bit_ceil(length); })));
  // (32, 64]: 40 41 60; (64, 128]: 100 99 70; (256, 512]: 300 500; (128, 256]: 200 130.
  REQUIRE(found.verdict == ShapeVerdict::bucketed);
  REQUIRE(found.buckets.size() == 4);
  CHECK(found.buckets[0].from == 40);
  CHECK(found.buckets[0].to == 60);
  CHECK(found.buckets[0].payer == 40);
  CHECK(found.buckets[1].payer == 100);
  CHECK(found.buckets[2].payer == 200);
  CHECK(found.buckets[3].from == 300);
  CHECK(found.buckets[3].payer == 300);
}

TEST_CASE("buckets of sixteen are told from every length by the neighbours that share one") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const ShapeFinding found = judge_shapes(
        times_of(unseen_lengths(20, 32, 4096, seed), once_each([](std::size_t length) { return (length + 15) / 16; })));
    REQUIRE(found.verdict == ShapeVerdict::bucketed);
  }
}

TEST_CASE("a bucket that a warm-up paid for leaves the others standing") {
  const auto compiles = once_each([](std::size_t length) { return std::bit_ceil(length); }, {128});
  const ShapeFinding found = judge_shapes(times_of({100, 99, 40, 41, 300, 60, 500, 200, 130, 260}, compiles));
  REQUIRE(found.verdict == ShapeVerdict::bucketed);
  REQUIRE(found.buckets.size() == 4);
  CHECK(found.buckets[1].from == 99);
  CHECK(found.buckets[1].to == 100);
  CHECK(!found.buckets[1].payer);
}

TEST_CASE("lengths that pay here and there, as no bucket would, cannot be told") {
  // Those that do not pay come first: nobody can have paid for them, and they lie apart.
  const Lengths lengths{10, 30, 50, 70, 90, 110, 20, 40, 60, 80, 100};
  const Lengths payers{20, 40, 60, 80, 100};
  const ShapeFinding found = judge_shapes(
      times_of(lengths, [&](std::size_t length) { return std::ranges::find(payers, length) != payers.end(); }));
  CHECK(found.verdict == ShapeVerdict::cannot_tell);
  CHECK(found.doubt == ShapeDoubt::irregular);
}

TEST_CASE("one pause of the machine is no compilation") {
  const ShapeFinding found =
      judge_shapes(times_of(unseen_lengths(20, 32, 1024, 3), [n = 0](std::size_t) mutable { return ++n == 5; }));
  CHECK(found.verdict == ShapeVerdict::free_of_charge);
  CHECK(std::ranges::count(found.pays, true) == 1);
}

TEST_CASE("times that scatter by half hide what a compilation would cost") {
  const ShapeFinding found = judge_shapes(times_of(
      unseen_lengths(20, 32, 1024, 3), [](std::size_t) { return false; }, 0.5));
  CHECK(found.verdict == ShapeVerdict::cannot_tell);
  CHECK(found.doubt == ShapeDoubt::too_noisy);
}

TEST_CASE("the limit follows the scatter: five deviations of a time against the mean of two") {
  std::vector<LengthTimes> times;
  for (std::size_t i = 0; i < 10; ++i) {
    const double off = i % 2 == 0 ? 0.05 : -0.05;
    times.push_back({i + 1, 1, std::exp(-off), std::exp(off)});
  }
  const ShapeFinding found = judge_shapes(times);
  // ln(third / second) is 0.1 or -0.1, around 0: scatter 0.1 / 0.6745 / √2 = 0.10483; e^(5 · √1.5 · 0.10483) = 1.9002.
  CHECK(found.scatter == doctest::Approx(0.10483).epsilon(1e-3));
  CHECK(found.limit == doctest::Approx(1.9002).epsilon(1e-3));
  CHECK(found.median_ratio == doctest::Approx(1));
}

TEST_CASE("what all known lengths have in common is no scatter") {
  std::vector<LengthTimes> times;
  for (std::size_t i = 0; i < 10; ++i) times.push_back({i + 1, 1.0, 1.0, 0.8});
  CHECK(judge_shapes(times).scatter == doctest::Approx(0));
  CHECK(judge_shapes(times).verdict == ShapeVerdict::free_of_charge);
}

TEST_CASE("rows of a probe become times: a third pass where there is one, else the steady time of the second") {
  const auto row = [](int pass, int length, double first, double steady) {
    return json::object{
        {"pass", pass}, {"length", length}, {"first_ns", first}, {"steady_ns", steady}, {"compilations", nullptr}};
  };
  const auto two = read_length_times({row(1, 9, 100, 8), row(1, 5, 90, 5), row(2, 9, 10, 8), row(2, 5, 6, 5)});
  REQUIRE(two.size() == 2);
  CHECK(two[0].length == 9);
  CHECK(two[0].first == 100);
  CHECK(two[0].second == 10);
  CHECK(two[0].third == 8);
  CHECK(two[1].length == 5);
  const auto three = read_length_times({row(1, 9, 100, 8), row(2, 9, 10, 8), row(3, 9, 11, 8)});
  CHECK(three[0].third == 11);
  CHECK(read_length_times({row(1, 9, 100, 8), {{"pass", 2}, {"length", 9}, {"first_ns", nullptr}}})[0].second == 0);
}

TEST_CASE("few lengths, or a time that is not known, are no evidence") {
  const auto none = [](std::size_t) { return false; };
  CHECK(judge_shapes(times_of({1, 2, 3, 4, 5, 6, 7}, none)).doubt == ShapeDoubt::too_few_lengths);
  auto times = times_of({1, 2, 3, 4, 5, 6, 7, 8}, none);
  times[2].third = 0;
  CHECK(judge_shapes(times).doubt == ShapeDoubt::too_few_lengths);
  CHECK(judge_shapes({}).verdict == ShapeVerdict::cannot_tell);
}

TEST_CASE("lengths are different, within their range, in pairs, and the same for the same seed") {
  const Lengths lengths = unseen_lengths(20, 32, 1024, 11);
  REQUIRE(lengths.size() == 20);
  const std::set<std::size_t> sorted(lengths.begin(), lengths.end());
  CHECK(sorted.size() == 20);
  CHECK(*sorted.begin() >= 32);
  CHECK(*sorted.rbegin() <= 1024);
  CHECK(std::ranges::count_if(sorted, [&](std::size_t length) { return sorted.contains(length + 1); }) >= 10);
  CHECK(!std::ranges::is_sorted(lengths));
  CHECK(lengths == unseen_lengths(20, 32, 1024, 11));
  CHECK(lengths != unseen_lengths(20, 32, 1024, 12));
  CHECK(unseen_lengths(20, 5, 9, 1).size() == 5);
}

}  // namespace
}  // namespace scoville::probe
