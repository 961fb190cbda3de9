#include "decide/load_step.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/rng.hpp"
#include "decide/made_queue.hpp"

namespace scoville::decide {
namespace {

/// 100 requests a second, each with this latency.
analyse::SloSample sample_of(std::vector<double> latencies) {
  analyse::SloSample out;
  for (std::size_t i = 0; i < latencies.size(); ++i) out.at.push_back(static_cast<double>(i) / 100);
  out.first_token = out.end = latencies;
  out.latencies.push_back(std::move(latencies));
  return out;
}

/// Independent latencies around 50 ms, `misses` of them of one second, spread evenly.
analyse::SloSample independent(std::size_t n, std::size_t misses, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(0.045 + 0.01 * rng.uniform());
  for (std::size_t i = 0; i < misses; ++i) out[(2 * i + 1) * n / (2 * misses)] = 1;
  return sample_of(std::move(out));
}

StepJudgement judged(const analyse::SloSample& sample, double share = 0.99, const StepRule& rule = {}) {
  const std::vector<analyse::SloSample> pieces{sample};
  const std::vector<plan::Slo> slos{ttft_within(0.5, share)};
  return judge_step(pieces, slos, rule);
}

}  // namespace

TEST_CASE("a share can be shown by no fewer requests than ln 0.05 / ln share") {
  CHECK(fewest_to_show(0.99) == 299);
  CHECK(fewest_to_show(0.95) == 59);
  CHECK(fewest_to_show(0.9) == 29);
}

TEST_CASE("none missed of 600 independent requests shows P99, of 250 it does not") {
  const StepJudgement enough = judged(independent(600, 0, 1));
  CHECK(enough.verdict == StepVerdict::holds);
  CHECK(enough.slos[0].misses == 0);
  CHECK(enough.slos[0].effective_n > 299);
  CHECK(enough.slos[0].effective_n <= 600);
  // 0.05^(1/n) at what they are worth
  CHECK(enough.slos[0].at_least == doctest::Approx(std::pow(0.05, 1 / enough.slos[0].effective_n)));
  CHECK(judged(independent(250, 0, 1)).verdict == StepVerdict::undecided);
}

TEST_CASE("one in twenty missed is shown to miss P99, and P90 to be met") {
  CHECK(judged(independent(2000, 100, 2)).verdict == StepVerdict::fails);
  CHECK(judged(independent(2000, 100, 2), 0.9).verdict == StepVerdict::holds);
}

TEST_CASE("misses that come together are worth fewer: what independent ones show they do not") {
  analyse::SloSample sample = independent(1000, 0, 3);
  for (std::size_t i = 400; i < 420; ++i) sample.latencies[0][i] = 1;  // 2 % in one go
  const StepJudgement together = judged(sample, 0.95);
  CHECK(together.slos[0].attainment == doctest::Approx(0.98));
  CHECK(together.slos[0].inflation > 10);
  CHECK(together.verdict == StepVerdict::undecided);
  CHECK(judged(independent(1000, 20, 3), 0.95).verdict == StepVerdict::holds);
}

TEST_CASE("a timer's noise far below the limit makes no clusters") {
  analyse::SloSample sample = independent(600, 0, 4);
  for (std::size_t i = 0; i < 600; ++i) sample.latencies[0][i] = 0.005 + (i < 300 ? 0 : 1e-5);
  CHECK(judged(sample).slos[0].inflation < 1.3);
}

TEST_CASE("a failed request is a miss") {
  analyse::SloSample sample = independent(600, 0, 5);
  sample.latencies[0][17] = std::numeric_limits<double>::infinity();
  CHECK(judged(sample).slos[0].misses == 1);
}

TEST_CASE("a wait that grows while the load is kept up is an overload: offered ÷ served − 1 seconds a second") {
  // 84 a second to four servers of 50 ms, which can do 80: the wait grows by 84/80 − 1.
  std::mt19937_64 random(1);
  MadeQueue queue;
  queue.is_constant = true;
  const analyse::SloSample sample = measured_at(queue, 84, 840, random);
  const auto growth = growth_of(sample.at, sample.first_token);
  REQUIRE(growth.has_value());
  CHECK(growth->per_second == doctest::Approx(0.05).epsilon(0.01));
  CHECK(growth->p < 0.001);
  const StepJudgement step = judged(sample);  // the limit of 500 ms is nearly kept so far
  CHECK(step.verdict == StepVerdict::fails);
  CHECK(step.doubt == StepDoubt::queue_grows);
}

TEST_CASE("a level load does not grow") {
  const analyse::SloSample sample = independent(600, 0, 6);
  const auto growth = growth_of(sample.at, sample.first_token);
  REQUIRE(growth.has_value());
  CHECK(std::abs(growth->per_second) < 1e-3);
  CHECK(judged(sample).doubt == StepDoubt::none);
}

TEST_CASE("growth needs five windows of five requests, and leaves out those that failed") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> at, latency;
  for (int i = 0; i < 24; ++i) at.push_back(i), latency.push_back(i);
  CHECK_FALSE(growth_of(at, latency).has_value());
  at.push_back(24), latency.push_back(none);
  CHECK_FALSE(growth_of(at, latency).has_value());
  at.push_back(25), latency.push_back(25);
  REQUIRE(growth_of(at, latency).has_value());
}

TEST_CASE("in a closed loop latency that drifts is no queue, but nothing is shown either") {
  std::vector<double> rising;
  for (std::size_t i = 0; i < 600; ++i) rising.push_back(0.05 + 0.0001 * static_cast<double>(i));
  StepRule rule;
  rule.is_open_loop = false;
  const StepJudgement step = judged(sample_of(rising), 0.9, rule);
  CHECK(step.verdict == StepVerdict::undecided);
  CHECK(step.doubt == StepDoubt::drifts);
}

TEST_CASE("several SLOs: each is judged, and all at once") {
  analyse::SloSample sample = independent(600, 0, 7);
  sample.latencies.push_back(sample.latencies[0]);
  for (const std::size_t i : {100U, 300U}) sample.latencies[0][i] = 1;
  for (const std::size_t i : {300U, 500U}) sample.latencies[1][i] = 1;
  const std::vector<plan::Slo> slos{ttft_within(0.5, 0.9), ttft_within(0.5, 0.95)};
  const std::vector<analyse::SloSample> pieces{sample};
  const StepJudgement step = judge_step(pieces, slos, {});
  CHECK(step.verdict == StepVerdict::holds);
  CHECK(step.slos[0].misses == 2);
  CHECK(step.slos[1].misses == 2);
  CHECK(step.joint.misses == 3);
}

}  // namespace scoville::decide
