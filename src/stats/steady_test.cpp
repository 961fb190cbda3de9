#include "stats/steady.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "base/rng.hpp"

namespace scoville::stats {
namespace {

/// One value a second: `level(second)` with normal noise of this relative size.
std::vector<double> series(std::size_t seconds, double noise, Rng& rng, const std::function<double(double)>& level) {
  std::vector<double> values;
  for (std::size_t i = 0; i < seconds; ++i) {
    values.push_back(level(static_cast<double>(i)) * (1 + noise * rng.normal()));
  }
  return values;
}

/// Shares of 200 draws that end in each verdict.
struct Shares {
  double steady = 0, up = 0, down = 0, staircase = 0, not_found = 0;
};
Shares verdicts(std::size_t seconds, double noise, const std::function<double(double)>& level) {
  constexpr int kDraws = 200;
  Shares shares;
  Rng rng(17);
  for (int draw = 0; draw < kDraws; ++draw) {
    switch (find_steady(series(seconds, noise, rng, level)).verdict) {
      case SteadyVerdict::steady:
        shares.steady += 1.0 / kDraws;
        break;
      case SteadyVerdict::drifting_up:
        shares.up += 1.0 / kDraws;
        break;
      case SteadyVerdict::drifting_down:
        shares.down += 1.0 / kDraws;
        break;
      case SteadyVerdict::staircase:
        shares.staircase += 1.0 / kDraws;
        break;
      case SteadyVerdict::not_found:
        shares.not_found += 1.0 / kDraws;
        break;
    }
  }
  return shares;
}

}  // namespace

TEST_CASE("A/A: a level with noise is steady") {
  const auto level = [](double) { return 100.0; };
  CHECK(verdicts(60, 0.01, level).steady > 0.97);
  CHECK(verdicts(300, 0.01, level).steady > 0.97);
  CHECK(verdicts(300, 0.05, level).steady > 0.95);
}

TEST_CASE("A/A: seconds that follow each other are no staircase") {
  Rng rng(23);
  int steady = 0;
  constexpr int kDraws = 200;
  for (int draw = 0; draw < kDraws; ++draw) {
    double memory = rng.normal();  // AR(1) with rho 0.8 and a spread of 5 %
    steady += find_steady(series(300, 0, rng, [&](double) {
                memory = 0.8 * memory + 0.6 * rng.normal();
                return 100 + 5 * memory;
              })).verdict == SteadyVerdict::steady;
  }
  CHECK(steady > 0.86 * kDraws);  // two tests at 5 %: 0.90, less two standard errors of 0.02
}

TEST_CASE("a warm-up in the first fifth is cut off, and what is left is steady") {
  Rng rng(5);
  const auto values = series(120, 0.005, rng, [](double second) { return 100 * (1 + std::exp(-second / 5)); });
  const auto found = find_steady(values);
  CHECK(found.verdict == SteadyVerdict::steady);
  CHECK(found.first >= 15);  // exp(-15/5) is 5 % of the level, ten times the noise
  CHECK(found.first < 60);
  CHECK(found.last == 120);
  CHECK(found.truncation->first_kept == found.first);
}

TEST_CASE("power: a drift of a tenth is found, with its direction and its size") {
  const auto rising = [](double second) { return 100 * (1 + 0.10 * second / 300); };
  const auto falling = [](double second) { return 100 * (1 - 0.10 * second / 300); };
  CHECK(verdicts(300, 0.01, rising).up > 0.97);
  CHECK(verdicts(300, 0.01, falling).down > 0.97);
  CHECK(verdicts(300, 0.05, rising).up > 0.85);
  CHECK(verdicts(300, 0.05, rising).staircase < 0.05);
}

TEST_CASE("a drift within the margin is steady, however sure the test is of it") {
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(100 + i * 0.005 + (i % 2 == 0 ? 1 : -1));
  const auto found = find_steady(values);
  CHECK(found.verdict == SteadyVerdict::steady);
  CHECK(found.trend->p < 0.001);
  CHECK(found.drift.value() == doctest::Approx(0.0149).epsilon(0.02));  // 1.5 on 100.75
  CHECK(find_steady(values, {.margin = 0.01}).verdict == SteadyVerdict::drifting_up);
}

TEST_CASE("power: a step is a staircase, not a trend, and its first plateau is the window") {
  for (const double at : {150.0, 180.0, 240.0}) {
    CAPTURE(at);
    CHECK(verdicts(300, 0.01, [&](double second) { return second < at ? 100.0 : 115.0; }).staircase > 0.97);
  }
  Rng rng(9);
  const auto found = find_steady(series(300, 0.01, rng, [](double second) { return second < 180 ? 100.0 : 115.0; }));
  CHECK(found.first == 0);
  CHECK(found.last == 180);
  CHECK(found.jump.value() == doctest::Approx(0.15).epsilon(0.02));
}

TEST_CASE("a slow rise that falls back at once is neither steady nor a staircase") {
  const auto sawtooth = [](double second) { return second < 200 ? 100 * (1 + 0.08 * second / 200) : 100.0; };
  CHECK(verdicts(300, 0.01, sawtooth).down > 0.97);
}

TEST_CASE("T-PET-1 as a run of twenty seconds is a staircase of twelve and eight") {
  const std::vector<double> values{20.4, 20.5, 20.3, 20.6, 20.4, 20.2, 20.5, 20.3, 20.4, 20.6,
                                   20.5, 20.4, 23.9, 24.1, 23.8, 24.0, 24.2, 23.9, 24.0, 24.1};
  const auto found = find_steady(values);
  CHECK(found.verdict == SteadyVerdict::staircase);
  CHECK(found.first == 0);
  CHECK(found.last == 12);
}

TEST_CASE("T-MSER-1 as a run of forty seconds is steady after fifteen") {
  const std::vector<double> values{31,   27.5, 25.2, 23.9, 22.8, 22.1, 21.6, 21.2, 20.9, 20.7, 20.4, 20.5, 20.3, 20.6,
                                   20.4, 20.2, 20.5, 20.3, 20.4, 20.6, 20.3, 20.5, 20.4, 20.2, 20.6, 20.4, 20.3, 20.5,
                                   20.4, 20.3, 20.5, 20.2, 20.4, 20.6, 20.3, 20.4, 20.5, 20.3, 20.4, 20.5};
  const auto found = find_steady(values);
  CHECK(found.verdict == SteadyVerdict::steady);
  CHECK(found.first == 15);
  CHECK(found.last == 40);
}

TEST_CASE("a warm-up longer than half the run leaves no window") {
  const auto until = [](double end) {
    return [end](double second) { return second < end ? 100 + 100 * (1 - second / end) : 100.0; };
  };
  CHECK(verdicts(300, 0.01, until(165)).not_found > 0.97);
  const auto shares = verdicts(300, 0.01, until(210));
  CHECK(shares.not_found + shares.down > 0.97);  // falls for a third of what would be kept: a drift, if not a step
  Rng rng(1);
  const auto found = find_steady(series(300, 0.01, rng, until(165)));
  CHECK(found.verdict == SteadyVerdict::not_found);
  CHECK(found.reason == NoWindow::over_half);
  CHECK(found.first == found.last);
  CHECK(verdicts(60, 0.01, until(42)).steady < 0.03);
  CHECK(verdicts(300, 0.01, until(90)).steady > 0.97);
}

TEST_CASE("too few seconds, a level of zero, or a value that is no number: no window, and the reason") {
  CHECK(find_steady({}).reason == NoWindow::too_short);
  CHECK(find_steady(std::vector<double>(19, 1.0)).reason == NoWindow::too_short);
  CHECK(find_steady(std::vector<double>(20, 1.0)).verdict == SteadyVerdict::steady);
  CHECK(find_steady(std::vector<double>(60, 0.0)).reason == NoWindow::no_level);
  CHECK(find_steady(std::vector<double>(60, NAN)).reason == NoWindow::no_level);
  CHECK(find_steady(std::vector<double>(60, 1e308)).reason == NoWindow::no_level);
}

TEST_CASE("a day of seconds is judged at once") {
  Rng rng(8);
  const auto found = find_steady(series(86'400, 0.05, rng, [](double) { return 100.0; }));
  CHECK(found.verdict == SteadyVerdict::steady);
}

}  // namespace scoville::stats
