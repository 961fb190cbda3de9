#include "decide/bad_shapes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/rng.hpp"

namespace scoville::decide {
namespace {

/// 20 ms and 50 µs a token, with 5 % noise that now and then is far off; `bad` takes `factor` as long.
std::vector<LengthSample> made(std::uint64_t seed, std::size_t requests, std::uint32_t bad = 0, double factor = 1) {
  std::vector<LengthSample> out;
  Rng rng(seed);
  for (const std::uint32_t around : {16U, 64U, 128U, 256U, 512U, 1024U}) {
    for (std::uint32_t tokens = around - 2; tokens <= around + 2; ++tokens) {
      LengthSample sample{tokens, {}};
      for (std::size_t i = 0; i < requests; ++i) {
        double noise = std::exp(0.05 * rng.normal());
        if (rng.uniform() < 0.05) noise *= 1 + rng.exponential();
        sample.ttft_s.push_back((0.02 + 5e-5 * tokens) * noise * (tokens == bad ? factor : 1));
      }
      out.push_back(std::move(sample));
    }
  }
  return out;
}

const LengthVerdict& of(const std::vector<LengthVerdict>& all, std::uint32_t tokens) {
  for (const LengthVerdict& each : all) {
    if (each.tokens == tokens) return each;
  }
  FAIL("no such length");
  return all.front();
}

std::size_t named(const std::vector<LengthVerdict>& all) {
  std::size_t out = 0;
  for (const LengthVerdict& each : all)
    out += each.standing == LengthStanding::slow || each.standing == LengthStanding::fast;
  return out;
}

}  // namespace

TEST_CASE("a length is named where both neighbours are faster, by how much the nearer one is") {
  std::vector<LengthSample> samples;
  // Per token 1, 2, 1.5 s and a little more, eight each: no overlap, so each rank-sum p is 2 / C(16, 8) = 1.554e-4.
  const double base[] = {1, 2, 1.5};
  for (std::uint32_t i = 0; i < 3; ++i) {
    LengthSample sample{10 + i, {}};
    for (int k = 0; k < 8; ++k) sample.ttft_s.push_back((base[i] + 0.001 * k) * (10 + i));
    samples.push_back(std::move(sample));
  }
  const auto all = judge_lengths(samples);
  REQUIRE(all.size() == 3);
  CHECK(all[0].standing == LengthStanding::edge);
  CHECK(all[1].standing == LengthStanding::slow);
  CHECK(all[1].p.value() == doctest::Approx(2.0 / 12870));
  CHECK(all[1].excess.value() == doctest::Approx(2.003 / 1.503 - 1));  // medians: the fourth of eight
  CHECK(all[2].standing == LengthStanding::edge);
}

TEST_CASE("beyond one neighbour alone is a slope, not a shape") {
  std::vector<LengthSample> samples;
  for (std::uint32_t i = 0; i < 5; ++i) {
    LengthSample sample{10 + i, {}};
    for (int k = 0; k < 10; ++k) sample.ttft_s.push_back((5.0 - i + 0.001 * k) * (10 + i));
    samples.push_back(std::move(sample));
  }
  CHECK(named(judge_lengths(samples)) == 0);
}

TEST_CASE("a dip is told from a bump") {
  const auto all = judge_lengths(made(1, 12, 128, 0.6));
  CHECK(of(all, 128).standing == LengthStanding::fast);
  CHECK(of(all, 128).excess.value() < -0.3);
}

TEST_CASE("five requests have no interval, and nothing is said of them") {
  const auto all = judge_lengths(made(1, 5, 128, 3));
  CHECK(of(all, 128).standing == LengthStanding::few);
  CHECK_FALSE(of(all, 128).p.has_value());
}

TEST_CASE("so many requests as a family of lengths needs: m times 2 / C(2n, n) within 5 %") {
  CHECK(requests_for_lengths(1) == 6);    // the interval of a median begins at 6
  CHECK(requests_for_lengths(28) == 7);   // 28 · 2 / C(12, 6) = 0.061, 28 · 2 / C(14, 7) = 0.016
  CHECK(requests_for_lengths(200) == 8);  // 200 · 2 / 3432 = 0.117, 200 · 2 / 12870 = 0.031
}

TEST_CASE("a smooth curve: in 1000 experiments of 30 lengths at most 5 % name any") {
  std::size_t wrong = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) wrong += named(judge_lengths(made(seed, 10))) > 0;
  CHECK(wrong <= 50);
}

TEST_CASE("one length 30 % slower is found in nine of ten experiments, alone") {
  std::size_t found = 0, others = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto all = judge_lengths(made(seed + 5000, 10, 257, 1.3));
    found += of(all, 257).standing == LengthStanding::slow;
    others += named(all) > (of(all, 257).standing == LengthStanding::slow ? 1U : 0U);
  }
  CHECK(found >= 180);
  CHECK(others <= 10);
}

}  // namespace scoville::decide
