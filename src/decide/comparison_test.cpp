#include "decide/comparison.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "decide/made_arm.hpp"

using namespace scoville;
using namespace scoville::decide;
using stats::Verdict;

namespace {

const std::vector<double> kA{10240, 10312, 10198, 10275, 10260};
const std::vector<double> kB{10890, 10755, 10822, 10910, 10801};
const std::vector<double> kC{10310, 10255, 10402, 10188, 10350};
const std::vector<double> kD{10420, 10380, 10510, 10340, 10465};
const std::vector<double> kE{10251, 10290, 10230, 10268, 10243};

CompareOptions by_rate() {
  CompareOptions options;
  options.primary = {"output_tokens_per_s"};
  return options;
}

Comparison compared(const Arm& base, const Arm& candidate, const CompareOptions& options) {
  return compare(base, candidate, check(base, candidate), options);
}

MetricComparison of_rates(const std::vector<double>& base, const std::vector<double>& candidate,
                          std::optional<double> margin = std::nullopt) {
  CompareOptions options = by_rate();
  options.margin = margin;
  return *compared(arm_of_rates("a", base), arm_of_rates("b", candidate), options).find("output_tokens_per_s");
}

void check_case(const std::vector<double>& other, double medians, double ratio, double p, double low, double high,
                Verdict verdict) {
  const MetricComparison found = of_rates(kA, other);
  CHECK(found.median_ratio == doctest::Approx(medians).epsilon(1e-8));
  REQUIRE(found.ratio);
  CHECK(found.ratio->value == doctest::Approx(ratio).epsilon(1e-8));
  CHECK(found.p == doctest::Approx(p).epsilon(1e-6));
  REQUIRE(found.ratio->interval);
  CHECK(found.ratio->interval->lower == doctest::Approx(low).epsilon(1e-8));
  CHECK(found.ratio->interval->upper == doctest::Approx(high).epsilon(1e-8));
  CHECK(found.ratio->interval->coverage == doctest::Approx(0.968254).epsilon(1e-6));
  CHECK(found.margin == doctest::Approx(0.02));
  CHECK(found.verdict == verdict);
}

}  // namespace

TEST_CASE("T-CMP: four candidates against one base") {
  check_case(kB, 1.05477583, 1.05605120, 0.00793651, 1.04742048, 1.06542969, Verdict::faster);
  check_case(kD, 1.01559454, 1.01559454, 0.00793651, 1.00659426, 1.02618160, Verdict::faster_size_uncertain);
  check_case(kC, 1.00487329, 1.00487329, 0.547619, 0.992982456, 1.01490488, Verdict::equivalent);
  check_case(kE, 0.999122807, 0.999318735, 1.0, 0.994084562, 1.00519710, Verdict::equivalent);
  CHECK(of_rates(kA, kC, 0.01).verdict == Verdict::inconclusive);
  CHECK(of_rates(kA, kC, 0.01).reason == NoVerdict::not_resolved);
  CHECK(of_rates(kA, kE, 0.01).verdict == Verdict::equivalent);
  CHECK(of_rates(kA, kB).permutation_p == doctest::Approx(0.00793651).epsilon(1e-6));
  CHECK(of_rates(kA, kB).cliffs_delta == doctest::Approx(1));
}

TEST_CASE("above 1 is better, whichever way the metric goes") {
  const Arm base = arm_of_tpots("a", {10.0, 10.1, 9.9, 10.2, 9.8});
  const Arm other = arm_of_tpots("b", {12.0, 12.1, 11.9, 12.2, 11.8});
  const Comparison found = compared(base, other, {});
  const MetricComparison& tpot = *found.find("tpot");
  CHECK(tpot.is_primary);
  CHECK(tpot.verdict == Verdict::slower);
  CHECK(tpot.ratio->value == doctest::Approx(10.0 / 12.0).epsilon(0.01));
  CHECK(tpot.median_ratio == doctest::Approx(10.0 / 12.0));
  CHECK(tpot.cliffs_delta == doctest::Approx(-1));
  CHECK(compared(other, base, {}).find("tpot")->verdict == Verdict::faster);
}

TEST_CASE("fewer than four runs say what it would take") {
  const Comparison found = compared(arm_of_tpots("a", {10.0, 10.1, 9.9}), arm_of_tpots("b", {20.0, 20.1, 19.9}), {});
  const MetricComparison& tpot = *found.find("tpot");
  CHECK(tpot.verdict == Verdict::inconclusive);
  CHECK(tpot.reason == NoVerdict::too_few_runs);
  REQUIRE(tpot.resolve);
  CHECK_FALSE(tpot.mde);                               // three and three never show any
  CHECK(tpot.resolve->runs == 4);                      // a difference this large needs no more than the rank test does
  CHECK(tpot.resolve->minutes == doctest::Approx(2));  // one run of 60 s more on each side
}

TEST_CASE("one run each: no spread is known, and the rank test's four runs are the least") {
  const Comparison found = compared(arm_of_tpots("a", {10.0}), arm_of_tpots("b", {10.5}), {});
  const MetricComparison& tpot = *found.find("tpot");
  CHECK(tpot.reason == NoVerdict::too_few_runs);
  CHECK_FALSE(tpot.mde);
  CHECK(tpot.resolve->runs == 4);
  CHECK(tpot.resolve->minutes == doctest::Approx(6));
  CHECK(tpot.ratio->value == doctest::Approx(10.0 / 10.5));
  CHECK_FALSE(tpot.ratio->interval);
}

TEST_CASE("what cannot be told carries the least effect that would have been seen, and the way out") {
  const MetricComparison found = of_rates(kA, kC, 0.01);
  // CV of A 0.004017, of C 0.008104 (sample sd / mean); pooled 0.006396; factor 2.02444 at five runs.
  CHECK(found.mde == doctest::Approx(2.02444 * 0.006396).epsilon(1e-3));
  REQUIRE(found.resolve);
  CHECK(found.resolve->runs > 5);
  CHECK(found.resolve->minutes == doctest::Approx(2.0 * static_cast<double>(found.resolve->runs - 5)));
}

TEST_CASE("a family is adjusted by Holm, its intervals by Bonferroni, the rest by Benjamini and Hochberg") {
  const auto with_both = [](std::string name, const std::vector<double>& rates, const std::vector<double>& tpots) {
    Arm arm = arm_of_rates(std::move(name), rates);
    const Arm other = arm_of_tpots("", tpots);
    for (std::size_t i = 0; i < arm.runs.size(); ++i) {
      analyse::RunStatistics& all = arm.runs[i].statistics;
      all.latencies = other.runs[i].statistics.latencies;
      all.requests_per_s = *all.output_tokens_per_s / 100;
      all.total_tokens_per_s = *all.output_tokens_per_s * 5;
    }
    return arm;
  };
  const std::vector<double> tpots{10.0, 10.1, 9.9, 10.2, 9.8};
  const Arm base = with_both("a", kA, tpots), other = with_both("b", kB, tpots);
  CompareOptions options;
  options.primary = {"output_tokens_per_s", "tpot"};
  const Comparison found = compared(base, other, options);
  CHECK(found.level == doctest::Approx(0.975));
  CHECK(found.metrics[0].metric->key == "output_tokens_per_s");  // in the order declared
  CHECK(found.metrics[1].metric->key == "tpot");
  CHECK(found.metrics[0].p_adjusted == doctest::Approx(2 * 0.00793651).epsilon(1e-6));
  CHECK(found.metrics[1].p_adjusted == doctest::Approx(1));
  CHECK(found.metrics[0].ratio->interval->coverage >= 0.975);
  // Exploratory: two metrics of p 0.0079 each.
  CHECK_FALSE(found.find("requests_per_s")->is_primary);
  CHECK(found.find("requests_per_s")->p_adjusted == doctest::Approx(0.00793651).epsilon(1e-6));
}

TEST_CASE("candidates share a family: each has its part of alpha") {
  CompareOptions options = by_rate();
  options.family = 3;
  const Comparison found = compared(arm_of_rates("a", kA), arm_of_rates("b", kB), options);
  CHECK(found.metrics[0].p_adjusted == doctest::Approx(3 * 0.00793651).epsilon(1e-6));
  CHECK(found.level == doctest::Approx(1 - 0.05 / 3));
}

TEST_CASE("what gives no verdict of its own makes no other p larger") {
  const auto made = [](const std::vector<double>& tpots) {
    Arm arm = arm_of_tpots("", tpots);
    for (ArmRun& run : arm.runs) {
      analyse::RunStatistics& all = run.statistics;
      const double value = *all.latencies[2].p50.value;
      all.latencies[0].p50.value = all.latencies[1].p50.value = value;  // TTFA is TTFT
      all.latencies[2].p99 = {1e7, false};                              // p = 1, and too few requests
      all.requests_per_s = 1e9 / value;
    }
    return arm;
  };
  const Comparison found = compared(made({10.0, 10.1, 9.9, 10.2, 9.8}), made({12.0, 12.1, 11.9, 12.2, 11.8}), {});
  // Two that count beside the declared TPOT, TTFT and requests/s, both with p 0.0079: Benjamini and Hochberg leave it.
  CHECK(found.find("ttft")->p_adjusted == doctest::Approx(0.00793651).epsilon(1e-6));
  CHECK(found.find("requests_per_s")->p_adjusted == doctest::Approx(0.00793651).epsilon(1e-6));
  CHECK_FALSE(found.find("ttfa")->p_adjusted);
  CHECK_FALSE(found.find("tpot_p99")->p_adjusted);
}

TEST_CASE("a family that is too large for its runs is told beforehand") {
  CHECK(largest_family(Design::unpaired, 5, 5) == 6);  // floor(0.05 / 0.0079365)
  CHECK(largest_family(Design::unpaired, 3, 3) == 0);
  CHECK(largest_family(Design::unpaired, 4, 4) == 1);
  CHECK(largest_family(Design::paired, 8, 8) == 6);  // floor(0.05 / 0.0078125)
  CHECK(runs_for_family(Design::unpaired, 1) == 4);
  CHECK(runs_for_family(Design::unpaired, 7) == 6);
  CHECK(runs_for_family(Design::paired, 1) == 6);

  CompareOptions options = by_rate();
  options.family = 7;
  const Comparison found = compared(arm_of_rates("a", kA), arm_of_rates("b", kB), options);
  CHECK(found.metrics[0].verdict == Verdict::inconclusive);
  CHECK(found.metrics[0].reason == NoVerdict::family_too_large);
}

TEST_CASE("pairs cancel the drift that both share: T-PAIR-1") {
  const Arm base = arm_of_rates("a", {10250, 10180, 10140, 10075, 10010, 9958});
  const Arm other = arm_of_rates("b", {10455, 10402, 10330, 10285, 10200, 10160});
  CompareOptions options = by_rate();
  options.design = Design::paired;
  const Comparison found = compare(base, other, check(base, other), options);
  const MetricComparison& rate = found.metrics[0];
  CHECK(rate.ratio->value == doctest::Approx(1.02014259).epsilon(1e-8));
  CHECK(rate.ratio->interval->lower == doctest::Approx(1.01873767).epsilon(1e-8));
  CHECK(rate.ratio->interval->upper == doctest::Approx(1.02180747).epsilon(1e-8));
  CHECK(rate.ratio->interval->coverage == doctest::Approx(0.96875));
  CHECK(rate.p == doctest::Approx(0.03125));
  CHECK(rate.verdict == Verdict::faster_size_uncertain);
  const Comparison unpaired = compared(base, other, by_rate());
  CHECK(unpaired.metrics[0].ratio->interval->lower == doctest::Approx(1.00341463).epsilon(1e-8));
  CHECK(unpaired.metrics[0].ratio->interval->upper == doctest::Approx(1.03735690).epsilon(1e-8));
}

TEST_CASE("runs made in turn are known by their times") {
  const auto at = [](const std::vector<int>& minutes) {
    Arm arm = arm_of_rates("", std::vector<double>(minutes.size(), 1.0));
    for (std::size_t i = 0; i < minutes.size(); ++i) arm.runs[i].started = std::chrono::minutes(minutes[i]);
    return arm;
  };
  CHECK(alternates(at({0, 3, 4, 7}), at({1, 2, 5, 6})));        // A B B A A B B A
  CHECK_FALSE(alternates(at({0, 1, 2, 3}), at({4, 5, 6, 7})));  // one after the other
  CHECK_FALSE(alternates(at({0, 3, 4}), at({1, 2})));
  CHECK_FALSE(alternates(at({0}), at({1})));
}

TEST_CASE("five pairs can never show a difference") {
  CompareOptions options = by_rate();
  options.design = Design::paired;
  const Arm base = arm_of_rates("a", kA), other = arm_of_rates("b", kB);
  const Comparison found = compare(base, other, check(base, other), options);
  CHECK(found.metrics[0].reason == NoVerdict::too_few_runs);
  CHECK(found.metrics[0].resolve->runs >= 6);
}

TEST_CASE("the margin is twice the noise floor, and wider between machines") {
  CompareOptions options = by_rate();
  options.floors["output_tokens_per_s"] = 0.03;
  const Arm base = arm_of_rates("a", kA);
  Arm other = arm_of_rates("b", kB);
  CHECK(compared(base, other, options).metrics[0].margin == doctest::Approx(0.06));
  CHECK(compared(base, other, options).metrics[0].verdict == Verdict::faster_size_uncertain);
  other.setup.peer = "10.0.0.7:8000";
  CHECK(compared(base, other, by_rate()).metrics[0].margin == doctest::Approx(0.05));
  options.margin = 0.01;
  CHECK(compared(base, other, options).metrics[0].margin == doctest::Approx(0.01));
}

TEST_CASE("a figure that a run lacks, or has too few requests for, gives no verdict") {
  Arm base = arm_of_tpots("a", {10.0, 10.1, 9.9, 10.2, 9.8});
  Arm other = arm_of_tpots("b", {12.0, 12.1, 11.9, 12.2, 11.8});
  other.runs[2].statistics.latencies[2].p50.value.reset();
  const MetricComparison missing = *compared(base, other, {}).find("tpot");
  CHECK(missing.verdict == Verdict::inconclusive);
  CHECK(missing.reason == NoVerdict::missing);
  CHECK_FALSE(missing.ratio);
  CHECK(missing.candidate.n == 4);

  other = arm_of_tpots("b", {12.0, 12.1, 11.9, 12.2, 11.8});
  other.runs[2].statistics.latencies[2].p50.is_supported = false;
  const MetricComparison unsupported = *compared(base, other, {}).find("tpot");
  CHECK(unsupported.reason == NoVerdict::unsupported);
  CHECK(unsupported.ratio);  // shown, and used for nothing
}

TEST_CASE("arms with different numbers of devices: per device or not at all") {
  Arm base = arm_of_rates("a", kA), other = arm_of_rates("b", {20480, 20624, 20396, 20550, 20520});
  const Arm tpots = arm_of_tpots("", {10.0, 10.1, 9.9, 10.2, 9.8});
  for (std::size_t i = 0; i < 5; ++i) {
    base.runs[i].statistics.latencies = other.runs[i].statistics.latencies = tpots.runs[i].statistics.latencies;
  }
  other.setup.devices = 2;
  const Comparison found = compared(base, other, by_rate());
  CHECK(found.gate.is_per_device);
  CHECK(found.metrics[0].ratio->value == doctest::Approx(1));
  CHECK(found.metrics[0].candidate.median == doctest::Approx(10260));
  CHECK(found.metrics[0].verdict == Verdict::equivalent);
  CHECK(found.find("tpot") == nullptr);
  CHECK(compared(base, other, {}).find("tpot")->reason == NoVerdict::not_per_device);
}

TEST_CASE("a refused comparison has no ratio") {
  const Arm base = arm_of_rates("a", kA);
  Arm other = arm_of_rates("b", kB);
  other.setup.load.max_concurrency = 32;
  const Comparison found = compared(base, other, by_rate());
  CHECK(found.gate.result == GateResult::refuse);
  CHECK(found.metrics.empty());
}
