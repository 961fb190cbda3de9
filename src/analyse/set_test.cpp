#include "analyse/set.hpp"

#include <doctest/doctest.h>

#include <deque>

namespace scoville::analyse {
namespace {

using doctest::Approx;
using Values = std::vector<std::optional<double>>;

/// A run of which only these are known.
Analysis made(double ttft_ms, double rate, bool has_value = true) {
  Analysis run;
  run.attempted = run.succeeded = 200;
  Metric& ttft = run.latencies[static_cast<std::size_t>(Latency::ttft)];
  for (const double p : {0.5, 0.95}) {
    Quantile quantile = begin_quantile(p, 200);
    const Nanos value(static_cast<std::int64_t>(ttft_ms * 1e6 * (p == 0.5 ? 1 : 2)));
    (has_value ? quantile.value : quantile.at_least) = value;
    ttft.quantiles.push_back(quantile);
  }
  run.rates.output_tokens_per_s = {rate, std::nullopt};
  return run;
}

SetFigures summary_of(const std::deque<Analysis>& runs) {
  std::vector<const Analysis*> list;
  for (const Analysis& each : runs) list.push_back(&each);
  return summarise_set(list);
}

}  // namespace

TEST_CASE("five runs: the interval is smallest to largest, and says that it covers 1 − 2/32") {
  const SetFigure figure = over_runs({50, 52, 49, 55, 51});
  CHECK(figure.n == 5);
  CHECK(figure.median == 51);
  CHECK(figure.smallest == 49);
  CHECK(figure.largest == 55);
  CHECK(figure.low == 49);
  CHECK(figure.high == 55);
  CHECK(*figure.level == Approx(0.9375));
  // Mean 51.4; squares 5.76 + 1.96 + 0.16 + 0.36 + 12.96 = 21.2; sd = √(21.2 / 4) = 2.302173.
  CHECK(*figure.cv == Approx(2.302173 / 51.4).epsilon(1e-6));
  CHECK(figure.values == Values{50, 52, 49, 55, 51});
}

TEST_CASE("six runs reach 95 %, nine need not go to the ends for it") {
  const SetFigure six = over_runs({6, 1, 5, 2, 4, 3});
  CHECK(six.median == 3.5);
  CHECK(six.low == 1);
  CHECK(six.high == 6);
  CHECK(*six.level == Approx(1 - 2.0 / 64));
  CHECK(*six.cv == Approx(1.870829 / 3.5).epsilon(1e-6));  // √(17.5 / 5)
  // P(Bin(9, ½) ≤ 1) = 10/512 ≤ 0.025 < 46/512 = P(Bin(9, ½) ≤ 2): the second smallest to the second largest.
  const SetFigure nine = over_runs({9, 8, 7, 6, 5, 4, 3, 2, 1});
  CHECK(nine.low == 2);
  CHECK(nine.high == 8);
  CHECK(*nine.level == Approx(1 - 20.0 / 512));
}

TEST_CASE("two runs cover their median with one half") {
  const SetFigure figure = over_runs({14, 10});
  CHECK(figure.median == 12);
  CHECK(figure.low == 10);
  CHECK(figure.high == 14);
  CHECK(*figure.level == Approx(0.5));
  CHECK(*figure.cv == Approx(2.828427 / 12).epsilon(1e-6));  // √(8 / 1)
  CHECK(*level_of(3) == Approx(0.75));
  CHECK(*level_of(4) == Approx(0.875));
}

TEST_CASE("one run has a value and no interval; none has nothing") {
  const SetFigure one = over_runs({7});
  CHECK(one.median == 7);
  CHECK_FALSE(one.low);
  CHECK_FALSE(one.level);
  CHECK_FALSE(one.cv);
  CHECK(one.reason == NoFigure::too_few);
  CHECK_FALSE(over_runs({}).median);
  CHECK_FALSE(level_of(1));
  CHECK_FALSE(level_of(0));
}

TEST_CASE("a run without a value leaves the figure empty, not computed from the others") {
  const SetFigure figure = over_runs({50, std::nullopt, 49});
  CHECK_FALSE(figure.median);
  CHECK_FALSE(figure.smallest);
  CHECK_FALSE(figure.low);
  CHECK_FALSE(figure.level);
  CHECK_FALSE(figure.cv);
  CHECK(figure.n == 2);
  CHECK(figure.reason == NoFigure::missing);
  CHECK(figure.values == Values{50, std::nullopt, 49});
}

TEST_CASE("0 in every run is a value; its CV is none") {
  const SetFigure figure = over_runs({0, 0});
  CHECK(figure.median == 0);
  CHECK_FALSE(figure.cv);
}

TEST_CASE("a set takes P50 and P95 of each run, and both windows of the rates") {
  const SetFigures figures = summary_of({made(50, 100), made(52, 104), made(48, 102)});
  CHECK(figures.runs == 3);
  CHECK(figures.latency(Latency::ttft).p50.median == 50e6);
  CHECK(figures.latency(Latency::ttft).p95.median == 100e6);
  CHECK(figures.latency(Latency::ttft).p95.is_supported);  // 200 samples
  CHECK(figures.output_tokens_per_s.full.median == 102);
  CHECK(figures.output_tokens_per_s.steady.reason == NoFigure::missing);
  CHECK(figures.latency(Latency::tpot).p50.n == 0);
  CHECK_FALSE(figures.latency(Latency::tpot).p50.is_supported);
  CHECK_FALSE(figures.attainment);
}

TEST_CASE("a quantile that fell on a time-out in one run is no value of the set") {
  const SetFigures figures = summary_of({made(50, 100), made(9000, 104, false), made(48, 102)});
  CHECK_FALSE(figures.latency(Latency::ttft).p50.median);
  CHECK(figures.latency(Latency::ttft).p50.n == 2);
  CHECK(figures.output_tokens_per_s.full.median == 102);
}

TEST_CASE("runs without a success, and runs that their client held up, are counted") {
  std::deque<Analysis> runs{made(50, 100), made(50, 100), made(50, 100)};
  runs[1].succeeded = 0;
  runs[0].instrument.verdict = Verdict::bottleneck;
  runs[2].instrument.verdict = Verdict::suspect;
  CHECK(summary_of(runs).without_success == 1);
  CHECK(summary_of(runs).bottlenecks == 1);
}

TEST_CASE("attainment is summarised where there were limits") {
  std::deque<Analysis> runs{made(50, 100), made(50, 100)};
  for (Analysis& each : runs) each.goodput.emplace();
  runs[0].goodput->counts.attainment = 0.5;
  runs[1].goodput->counts.attainment = 1;
  CHECK(summary_of(runs).attainment->median == 0.75);
}

TEST_CASE("five runs, each slower than the one before, drift; four cannot show it; five that go up and down do not") {
  const SetFigures slower = summary_of({made(50, 9), made(51, 9), made(52, 9), made(53, 9), made(54, 9)});
  REQUIRE(slower.drifts.size() == 1);
  CHECK(slower.drifts[0].series == Drift::Series::ttft);
  CHECK(slower.drifts[0].rises);
  // S = 10, variance 5 · 4 · 15 / 18 = 16.667, z = 9 / 4.0825 = 2.2045, p = 0.0275.
  CHECK(slower.drifts[0].p == Approx(0.0275).epsilon(0.01));
  CHECK(summary_of({made(50, 9), made(51, 9), made(52, 9), made(53, 9)}).drifts.empty());
  CHECK(summary_of({made(50, 9), made(53, 9), made(51, 9), made(54, 9), made(52, 9)}).drifts.empty());
  const SetFigures falling = summary_of({made(5, 9), made(5, 8), made(5, 7), made(5, 6), made(5, 5)});
  REQUIRE(falling.drifts.size() == 1);
  CHECK(falling.drifts[0].series == Drift::Series::output_tokens_per_s);
  CHECK_FALSE(falling.drifts[0].rises);
}

}  // namespace scoville::analyse
