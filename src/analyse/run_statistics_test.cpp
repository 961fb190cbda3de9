#include "analyse/run_statistics.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

using namespace scoville;
using namespace scoville::analyse;

namespace {

/// Ten answers of 3 tokens, 100 apart, TTFT 20 + i, TPOT 10; one time-out.
run::RunResult made_run() {
  run::RunResult run;
  for (std::size_t i = 0; i < 10; ++i) {
    const double written = static_cast<double>(i) * 100, first = written + 20 + static_cast<double>(i);
    event::RequestRecord record = answered(written, every(10, 3, first), first + 21);
    record.index = i;
    record.prompt_tokens = 100 + static_cast<std::int64_t>(i);
    record.cached_tokens = 0;
    record.prompt_hash = i;
    run.records.push_back(std::move(record));
  }
  run.records.push_back(failure(1000, 2000, event::Failure::timeout_request));
  run.records.back().index = 10;
  run.loaders.emplace_back();
  return run;
}

RunStatistics made_statistics() {
  const run::RunResult run = made_run();
  plan::LoadPlan plan;
  plan.max_concurrency = 1;
  plan.num_prompts = 11;
  AnalysisOptions options;
  options.limits.ttft = ms(25);
  return statistics_of(run, analyse::analyse(run, plan, options).value());
}

}  // namespace

TEST_CASE("a run's statistics are its own numbers") {
  const RunStatistics all = made_statistics();
  CHECK(all.attempted == 11);
  CHECK(all.succeeded == 10);
  CHECK(all.timeouts == 1);
  CHECK(all.length == ms(2000));
  // 11 samples with the time-out, which counts as longer than all others: rank ceil(5.5) = 6.
  CHECK(all.latency(Latency::ttft).p50.value == doctest::Approx(25e6));
  CHECK(all.latency(Latency::ttft).p50.is_supported);
  CHECK_FALSE(all.latency(Latency::ttft).p95.value);  // rank 11: known only to be longer
  CHECK_FALSE(all.latency(Latency::ttft).p95.is_supported);
  CHECK(all.latency(Latency::tpot).p50.value == doctest::Approx(10e6));
  CHECK(all.output_tokens_per_s == doctest::Approx(15));  // 30 tokens in 2 s
  CHECK(all.attainment == doctest::Approx(6.0 / 11));     // TTFT 20 … 25
  CHECK(all.mean_prompt_tokens == doctest::Approx(104.5));
  CHECK(all.cached_share == doctest::Approx(0));
  REQUIRE(all.usage.size() == 10);
  CHECK(all.usage[3].index == 3);
  CHECK(all.usage[3].prompt_tokens == 103);
  CHECK(all.usage[3].output_tokens == 3);
}

TEST_CASE("whether a run was steady is kept of every run, and is no fault of one that was not to find its warm-up") {
  run::RunResult run;
  for (std::size_t i = 0; i < 400; ++i) {
    const double written = static_cast<double>(i) * 100, first = written + 20 + static_cast<double>(i) / 20;
    run.records.push_back(answered(written, every(10, 3, first), first + 21));
  }
  run.loaders.emplace_back();
  plan::LoadPlan plan;
  plan.max_concurrency = 1;
  const RunStatistics all = statistics_of(run, analyse::analyse(run, plan, {}).value());
  CHECK(all.steady_verdict == stats::SteadyVerdict::drifting_up);
  CHECK_FALSE(all.is_drifting);
  CHECK(statistics_from(to_json(all))->steady_verdict == stats::SteadyVerdict::drifting_up);
  CHECK(made_statistics().steady_verdict == stats::SteadyVerdict::not_found);  // ten requests
}

TEST_CASE("statistics are read back as they were written") {
  const RunStatistics all = made_statistics();
  const json::value written = to_json(all);
  const auto read = statistics_from(written);
  REQUIRE(read);
  CHECK(json::value(to_json(*read)) == written);
  CHECK(read->latency(Latency::ttft).p50.value == all.latency(Latency::ttft).p50.value);
  CHECK_FALSE(read->latency(Latency::ttft).p95.value);
  CHECK(read->usage.size() == 10);
}

TEST_CASE("statistics of another method, or of no known form, are not used") {
  json::value written = to_json(made_statistics());
  json::value other = written;
  other.as_object()["method_version"] = 1;
  CHECK_FALSE(statistics_from(other));
  other = written;
  other.as_object()["schema"] = "scoville.statistics/9";
  CHECK_FALSE(statistics_from(other));
  other = written;
  other.as_object()["usage"].as_object()["index"].as_array().pop_back();
  CHECK_FALSE(statistics_from(other));
  CHECK_FALSE(statistics_from(nullptr));
}
