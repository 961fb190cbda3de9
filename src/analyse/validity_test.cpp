#include "analyse/validity.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "analyse/analysis.hpp"
#include "analyse/made_record.hpp"
#include "base/rng.hpp"

namespace scoville::analyse {
namespace {

using stats::NoWindow;
using stats::SteadyVerdict;

constexpr std::size_t kRequests = 600;

/// An open loop of 10 requests a second with this TTFT (ms); ten gaps of 10 ms each.
run::RunResult run_of(std::size_t requests, const std::function<double(std::size_t)>& ttft_of) {
  run::RunResult run;
  for (std::size_t i = 0; i < requests; ++i) {
    const double due = 100 * static_cast<double>(i), first = due + ttft_of(i);
    run.records.push_back(answered(due, every(10, 11, first), first + 100));
    run.records.back().due = at_ms(due);
    run.records.back().index = i;
    run.records.back().prompt_hash = i;
  }
  run.loaders.emplace_back();
  run.loaders[0].reused_connections = true;
  return run;
}

plan::LoadPlan open_plan() {
  plan::LoadPlan plan;
  plan.arrivals.rate = 10;
  return plan;
}

Analysis analysis_of(std::size_t requests, const std::function<double(std::size_t)>& ttft_of) {
  return analyse(run_of(requests, ttft_of), open_plan(), {}).value();
}

bool warns_of_drift(const Analysis& analysis) {
  return std::any_of(analysis.warnings.begin(), analysis.warnings.end(),
                     [](const Warning& each) { return each.code == Doubtful::drifting; });
}

double share(std::size_t i) { return static_cast<double>(i) / kRequests; }

}  // namespace

TEST_CASE("a level with noise is steady; 600 requests are judged as 120 means of five") {
  Rng rng(3);
  const Analysis analysis = analysis_of(kRequests, [&](std::size_t) { return 50 * (1 + 0.02 * rng.normal()); });
  const Validity& validity = analysis.validity;
  CHECK(validity.verdict == SteadyVerdict::steady);
  CHECK(validity.reason == NoWindow::none);
  CHECK(validity.significance == doctest::Approx(0.025));  // TTFT and TPOT share 0.05
  REQUIRE(validity.series.size() == 2);                    // the rate of an open loop is the schedule's
  const SeriesValidity& ttft = *validity.find(Series::ttft);
  CHECK(ttft.n == kRequests);
  CHECK(ttft.per_value == 5);
  CHECK(ttft.values == 120);
  CHECK(std::fabs(*ttft.r1) < 0.15);
  CHECK(*ttft.effective_n == doctest::Approx(kRequests * (1 - *ttft.r1) / (1 + *ttft.r1)));
  CHECK_FALSE(warns_of_drift(analysis));
}

TEST_CASE("a rise of a tenth is found in TTFT, with its size, and warned of without being asked for") {
  Rng rng(4);
  const Analysis analysis =
      analysis_of(kRequests, [&](std::size_t i) { return 50 * (1 + 0.1 * share(i)) * (1 + 0.02 * rng.normal()); });
  CHECK(analysis.validity.verdict == SteadyVerdict::drifting_up);
  const SeriesValidity& ttft = *analysis.validity.find(Series::ttft);
  CHECK(ttft.window.trend->p < 0.001);
  CHECK(*ttft.window.drift == doctest::Approx(0.1 / 1.05).epsilon(0.15));
  CHECK(analysis.validity.find(Series::tpot)->window.verdict == SteadyVerdict::steady);
  CHECK(warns_of_drift(analysis));
  CHECK_FALSE(analysis.warmup);
}

TEST_CASE("a step is a staircase, found at its place") {
  Rng rng(5);
  const Analysis analysis =
      analysis_of(kRequests, [&](std::size_t i) { return (i < 360 ? 50 : 60) * (1 + 0.02 * rng.normal()); });
  CHECK(analysis.validity.verdict == SteadyVerdict::staircase);
  const stats::SteadyWindow& window = analysis.validity.find(Series::ttft)->window;
  CHECK(window.first + window.step->first_segment == 72);  // 360 requests, five a value
  CHECK(*window.jump == doctest::Approx(0.2).epsilon(0.05));
  CHECK(*window.step_p < 0.025);
}

TEST_CASE("a warm-up is cut, and what is left is steady") {
  const Analysis analysis =
      analysis_of(kRequests, [](std::size_t i) { return 50 * (1 + std::exp(-static_cast<double>(i) / 30)) + (i % 2); });
  CHECK(analysis.validity.verdict == SteadyVerdict::steady);
  CHECK(analysis.validity.find(Series::ttft)->window.truncation->first_kept > 5);
}

TEST_CASE("A/A: requests that resemble their neighbours (0.8) are no drift more often than chance has it") {
  Rng rng(6);
  constexpr int kDraws = 200;
  int wolves = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    double memory = rng.normal();
    wolves += drifts(analysis_of(kRequests,
                                 [&](std::size_t) {
                                   memory = 0.8 * memory + 0.6 * rng.normal();
                                   return 50 * (1 + 0.05 * memory);
                                 })
                         .validity.verdict)
                  ? 1
                  : 0;
  }
  // Two tests of TTFT at 0.025: 5 %, and two standard errors of 1.5 %. TPOT is constant here.
  CHECK(wolves <= 0.08 * kDraws);
}

TEST_CASE("fewer than 20 requests are too few to judge, and that is no drift") {
  const Analysis analysis = analysis_of(19, [](std::size_t i) { return 50 + static_cast<double>(i); });
  CHECK(analysis.validity.verdict == SteadyVerdict::not_found);
  CHECK(analysis.validity.reason == NoWindow::too_short);
  CHECK_FALSE(warns_of_drift(analysis));
  run::RunResult nothing;
  nothing.loaders.emplace_back();
  CHECK(analyse(nothing, open_plan(), {}).value().validity.reason == NoWindow::too_short);
}

TEST_CASE("119 requests are judged one by one, 121 as 60 pairs: the first is left out") {
  const auto level = [](std::size_t i) { return 50 + static_cast<double>(i % 3); };
  const Analysis few = analysis_of(119, level), more = analysis_of(121, level);
  CHECK(few.validity.find(Series::ttft)->values == 119);
  CHECK(more.validity.find(Series::ttft)->values == 60);
  CHECK(more.validity.find(Series::ttft)->per_value == 2);
}

TEST_CASE("a closed loop is followed by its rate too, until the last issue") {
  run::RunResult run = run_of(kRequests, [](std::size_t) { return 50.0; });
  for (event::RequestRecord& each : run.records) each.due = Moment();
  for (std::size_t i = 0; i < kRequests; ++i) {  // the second half has half the tokens: 60 a second instead of 110
    if (i < kRequests / 2) continue;
    event::RequestRecord& record = run.records[i];
    record.tokens.resize(6);
    record.n_out = 6;
    record.last_token = record.tokens.back().at;
  }
  plan::LoadPlan plan;
  plan.max_concurrency = 2;
  const Validity validity = analyse(run, plan, {}).value().validity;
  REQUIRE(validity.series.size() == 3);
  const SeriesValidity& rate = *validity.find(Series::output_tokens_per_s);
  CHECK(rate.window.verdict == SteadyVerdict::staircase);
  CHECK(rate.bin == ms(59900) / 80);
  CHECK(rate.values == 79);  // the last bin is not whole
  CHECK(*rate.window.jump == doctest::Approx(6.0 / 11 - 1).epsilon(0.05));
  CHECK(validity.verdict == SteadyVerdict::staircase);
}

}  // namespace scoville::analyse
