#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "analyse/analysis.hpp"
#include "analyse/made_record.hpp"
#include "base/rng.hpp"
#include "dataset/case_file.hpp"
#include "stats/quantile.hpp"
#include "wire/stamp.hpp"

// The cases of tests/cases/cases.md, "Measurement falsification", that need no second system. Each input is turned into
// the records that the loader would have made of it; every figure then comes from the product. MEAS-07 stands in
// report.
namespace scoville::analyse {
namespace {

using dataset::case_file;
using dataset::expected;
using event::Failure;

std::vector<json::object> rows_of(const std::string& id) {
  std::istringstream lines(case_file(id + ".jsonl"));
  std::vector<json::object> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(json::parse(line).as_object());
  return rows;
}

double number(const json::object& row, const char* key) { return row.at(key).to_number<double>(); }

std::vector<double> numbers(const json::value& list) {
  std::vector<double> values;
  for (const json::value& each : list.as_array()) values.push_back(each.to_number<double>());
  return values;
}

bool is_failed(const json::object& row) { return row.at("status") == "failed"; }

/// Holds a figure against the case, to the three decimals that the cases print.
void check(const json::object& expect, const char* key, std::optional<double> got) {
  CAPTURE(key);
  REQUIRE(got.has_value());
  CHECK(std::fabs(*got - number(expect, key)) < 0.0005);
}

std::optional<double> in_ms(std::optional<Nanos> span) { return span ? std::optional(to_millis(*span)) : std::nullopt; }
std::optional<double> in_ms(std::optional<double> nanos) { return nanos ? std::optional(*nanos / 1e6) : std::nullopt; }

const Warning* warning(const Analysis& analysis, Doubtful code) {
  for (const Warning& each : analysis.warnings) {
    if (each.code == code) return &each;
  }
  return nullptr;
}

/// Every flag of the case is among the codes of the analysis.
void check_flags(const json::object& expect, const Analysis& analysis) {
  for (const json::value& flag : expect.at("flags").as_array()) {
    bool is_there = false;
    for (const Warning& each : analysis.warnings) is_there = is_there || name_of(each.code) == flag.as_string();
    CAPTURE(std::string(flag.as_string()));
    CHECK(is_there);
  }
}

/// The analysis of a closed loop, or with a `rate` of a schedule.
Analysis analysis_of(std::vector<event::RequestRecord> records, std::size_t concurrency,
                     std::optional<double> rate = {}) {
  run::RunResult run;
  run.records = std::move(records);
  plan::LoadPlan plan;
  plan.max_concurrency = concurrency;
  plan.num_prompts = run.records.size();
  plan.arrivals.rate = rate;
  return analyse(run, plan, {}).value();
}

}  // namespace

TEST_CASE("MEAS-01: the mean TPOT over requests and the mean of the pooled gaps are two figures") {
  const auto expect = expected("MEAS-01");
  std::vector<event::RequestRecord> records;
  for (const auto& row : rows_of("MEAS-01")) {
    std::vector<double> times{100};
    for (const double gap : numbers(row.at("gaps_ms"))) times.push_back(times.back() + gap);
    records.push_back(answered(0, times, times.back()));
    records.back().n_out = row.at("n_out").as_int64();
  }
  const Analysis analysis = analysis_of(std::move(records), 2);
  check(expect, "tpot_mean_ms", in_ms(analysis.latency(Latency::tpot).mean));
  check(expect, "itl_pooled_mean_ms", in_ms(analysis.latency(Latency::icl).mean));
  check(expect, "gaps", static_cast<double>(analysis.latency(Latency::icl).n));
}

TEST_CASE("MEAS-02: refusals of 5 ms stand beside latency and rate, not in them") {
  const auto expect = expected("MEAS-02");
  std::vector<event::RequestRecord> records;
  double at = 0;
  for (const auto& row : rows_of("MEAS-02")) {
    const double took = number(row, "e2e_ms");
    if (is_failed(row)) {
      records.push_back(failure(0, took, Failure::http_status));
      records.back().http_status = static_cast<std::uint16_t>(row.at("http").as_int64());
    } else {
      records.push_back(answered(at, {}, at + took));  // two at a time: 2 s in all
      records.back().n_out = row.at("n_out").as_int64();
      at = records.size() == 2 ? took : at;
    }
  }
  const Analysis analysis = analysis_of(std::move(records), 2);
  const double window = to_seconds(analysis.full.length());
  check(expect, "window_s", window);
  check(expect, "e2e_mean_ms", in_ms(analysis.latency(Latency::e2e).mean));
  check(expect, "success_rate", static_cast<double>(analysis.succeeded) / static_cast<double>(analysis.attempted));
  check(expect, "good_req_s", analysis.rates.requests_per_s.full);
  check(expect, "good_tok_s", analysis.rates.output_tokens_per_s.full);
  check(expect, "failed_s",
        static_cast<double>(analysis.failed[static_cast<std::size_t>(Failure::http_status)]) / window);
}

TEST_CASE("MEAS-06: percentiles by nearest rank, and by linear interpolation where other tools are quoted") {
  const auto expect = expected("MEAS-06");
  std::vector<double> values = numbers(json::parse(case_file("MEAS-06.json")));
  std::vector<Sample> samples;
  for (const double each : values) samples.push_back({ms(each), false});
  const Metric metric = summarise(samples, {0.5, 0.9, 0.99, 1.0});
  std::sort(values.begin(), values.end());
  for (const auto& [key, value] : expect.at("nearest_rank").as_object()) {
    CHECK(metric.at(std::stod(key) / 100)->value == ms(value.to_number<double>()));
  }
  for (const auto& [key, value] : expect.at("linear").as_object()) {
    check(expect.at("linear").as_object(), std::string(key).c_str(),
          stats::linear_quantile(values, std::stod(key) / 100));
  }
}

TEST_CASE("MEAS-08: a stall that delays later sends shows in the latency from the plan, and the schedule was not met") {
  const auto expect = expected("MEAS-08");
  std::vector<event::RequestRecord> records;
  for (const auto& row : rows_of("MEAS-08")) {
    records.push_back(answered(number(row, "sent_ms"), {number(row, "done_ms")}, number(row, "done_ms")));
    records.back().due = at_ms(number(row, "planned_ms"));
  }
  const Analysis analysis = analysis_of(std::move(records), 0, 10.0);
  check(expect, "mean_from_plan_ms", in_ms(analysis.latency(Latency::e2e).mean));
  check(expect, "mean_from_send_ms", in_ms(analysis.from_written[static_cast<std::size_t>(Latency::e2e)].mean));
  check(expect, "max_send_lag_ms", in_ms(analysis.instrument.send_lag.largest));
  CHECK(analysis.schedule_met == false);
  CHECK(warning(analysis, Doubtful::schedule_not_met));
  CHECK(analysis.instrument.verdict == Verdict::bottleneck);
}

TEST_CASE("MEAS-10: a hidden connection cap shows as a peak in flight below the concurrency asked for") {
  const auto expect = expected("MEAS-10");
  std::vector<event::RequestRecord> records;
  for (const auto& row : rows_of("MEAS-10")) {
    records.push_back(answered(number(row, "sent_ms"), {number(row, "done_ms")}, number(row, "done_ms")));
    records.back().dequeued = at_ms(number(row, "queued_ms"));
  }
  const Analysis analysis = analysis_of(std::move(records), static_cast<std::size_t>(number(expect, "asked")));
  check(expect, "peak_in_flight", static_cast<double>(analysis.in_flight_peak));
  REQUIRE(warning(analysis, Doubtful::concurrency_not_reached));
  check(expect, "asked", warning(analysis, Doubtful::concurrency_not_reached)->share);
  check_flags(expect, analysis);
  CHECK_FALSE(analysis.steady.has_value());
}

TEST_CASE("MEAS-13: the length of a prompt is what the server counted, and a mean that is off is flagged") {
  const auto expect = expected("MEAS-13");
  std::vector<event::RequestRecord> records;
  for (const auto& row : rows_of("MEAS-13")) {
    records.push_back(answered(0, {10}, 20));
    records.back().asked_prompt_tokens = static_cast<std::uint32_t>(row.at("asked").as_int64());
    records.back().prompt_tokens = row.at("usage_prompt_tokens").as_int64();
  }
  const Analysis analysis = analysis_of(std::move(records), 3);
  check(expect, "mean_prompt", analysis.mean_prompt_tokens);
  REQUIRE(analysis.prompt_lengths.has_value());
  check(expect, "mean_abs_dev", analysis.prompt_lengths->mean_absolute_deviation);
  REQUIRE(dataset::warning_of(*analysis.prompt_lengths).has_value());
  CHECK(dataset::warning_of(*analysis.prompt_lengths)->code == expect.at("flags").at(0).as_string());
}

TEST_CASE("MEAS-14: a wall clock stepped between send and first token moves no latency, and the step is noted") {
  const auto expect = expected("MEAS-14");
  const auto row = rows_of("MEAS-14").at(0);
  const double sent = number(row, "mono_send") * 1000, first = number(row, "mono_first") * 1000;
  wire::ClockOffset clock;
  clock.set(at_ms(sent), ms(number(row, "wall_send") * 1000));
  clock.set(at_ms(first), ms(number(row, "wall_first") * 1000));
  // A kernel stamp of the first token, taken after the step.
  const double arrival = to_millis(clock.to_monotonic(ms(number(row, "wall_first") * 1000)).time_since_epoch());
  run::RunResult run;
  run.records.push_back(answered(sent, {arrival}, arrival));
  run.loaders.emplace_back();
  run.loaders[0].clock_steps = clock.steps();
  plan::LoadPlan plan;
  plan.max_concurrency = 1;
  const Analysis analysis = analyse(run, plan, {}).value();
  check(expect, "ttft_ms", in_ms(analysis.latency(Latency::ttft).mean));
  check(expect, "wall_step_s", to_seconds(clock.last_step()));
  CHECK(warning(analysis, Doubtful::clock_step));
}

TEST_CASE("MEAS-15: the peak counts tokens as the mean does, and is not below it") {
  const auto expect = expected("MEAS-15");
  const json::object input = json::parse(case_file("MEAS-15.json")).as_object();
  const auto chunks = numbers(input.at("chunks_in_bin")), lengths = numbers(input.at("bin_s"));
  const auto tokens = static_cast<std::uint16_t>(input.at("tokens_per_chunk").as_int64());
  std::vector<double> times;
  double from = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const double gap = lengths[i] * 1000 / chunks[i];
    for (const double at : every(gap, static_cast<std::size_t>(chunks[i]), from + gap / 2)) times.push_back(at);
    from += lengths[i] * 1000;
  }
  event::RequestRecord record = answered(0, times, from);
  for (auto& each : record.tokens) each.tokens = tokens;
  record.n_out = static_cast<std::int64_t>(times.size() * tokens);
  const Analysis analysis = analysis_of(list_of(std::move(record)), 1);
  check(expect, "peak_tok_s", analysis.peak_output_tokens_per_s);
  check(expect, "mean_tok_s", analysis.rates.output_tokens_per_s.full);
  CHECK(*analysis.peak_output_tokens_per_s >= *analysis.rates.output_tokens_per_s.full);
}

TEST_CASE("MEAS-16: TPOT ends with the last token, not with the stream, and agrees with the mean gap") {
  const auto expect = expected("MEAS-16");
  const json::object input = json::parse(case_file("MEAS-16.json")).as_object();
  event::RequestRecord record = answered(0, numbers(input.at("token_times_ms")), number(input, "done_ms"));
  record.n_out = input.at("n_out").as_int64();
  const Analysis analysis = analysis_of(list_of(std::move(record)), 1);
  check(expect, "tpot_ms", in_ms(analysis.latency(Latency::tpot).mean));
  check(expect, "itl_mean_ms", in_ms(analysis.latency(Latency::icl).mean));
  CHECK(analysis.latency(Latency::e2e).mean == ms(400));
}

TEST_CASE("MEAS-17: what is missing is left out of the statistics, with its n beside them") {
  const auto expect = expected("MEAS-17");
  std::vector<event::RequestRecord> records;
  for (const auto& row : rows_of("MEAS-17")) {
    if (is_failed(row)) {
      records.push_back(failure(0, 0, Failure::http_status));
    } else if (row.at("ttft_ms").is_null()) {
      records.push_back(answered(0, {}, 500));
    } else {
      records.push_back(answered(0, {number(row, "ttft_ms")}, 500));
      records.back().n_out = row.at("n_out").as_int64();
    }
  }
  const Analysis analysis = analysis_of(std::move(records), 4);
  CHECK(analysis.attempted == 4);
  check(expect, "n", static_cast<double>(analysis.latency(Latency::ttft).n));
  check(expect, "ttft_mean_ms", in_ms(analysis.latency(Latency::ttft).mean));
  // The case takes the median of two as their middle; so does numpy. Ours is always a time that was measured: 200 ms.
  check(expect, "ttft_median_ms", in_ms(analysis.vllm.ttft.median));
  CHECK(analysis.latency(Latency::ttft).at(0.5)->value == ms(200));
}

TEST_CASE("MEAS-18: the rate at the concurrency asked for comes only from the time at that concurrency") {
  const auto expect = expected("MEAS-18");
  const json::object input = json::parse(case_file("MEAS-18.json")).as_object();
  std::vector<event::RequestRecord> records;
  for (const json::value& each : input.at("segments").as_array()) {
    const json::object& segment = each.as_object();
    const double from = number(segment, "from_s") * 1000, to = number(segment, "to_s") * 1000;
    const auto in_flight = static_cast<std::size_t>(number(segment, "in_flight"));
    const auto tokens = static_cast<std::size_t>(number(segment, "tokens")) / in_flight;
    const double gap = (to - from) / static_cast<double>(tokens);
    for (std::size_t i = 0; i < in_flight; ++i)
      records.push_back(answered(from, every(gap, tokens, from + gap / 2), to));
  }
  const Analysis analysis = analysis_of(std::move(records), static_cast<std::size_t>(number(input, "asked")));
  check(expect, "mean_in_flight", analysis.in_flight_mean);
  check(expect, "tok_s_at_asked", analysis.rates.output_tokens_per_s.steady);
  check(expect, "tok_s_overall", analysis.rates.output_tokens_per_s.full);
}

TEST_CASE("MEAS-20: a stream that a proxy turned into bursts is flagged, and no quantile of its gaps is published") {
  const auto expect = expected("MEAS-20");
  const auto times = numbers(json::parse(case_file("MEAS-20.json")).as_object().at("arrivals_ms"));
  const Analysis analysis = analysis_of(list_of(answered(0, times, times.back())), 1);
  check_flags(expect, analysis);
  REQUIRE(warning(analysis, Doubtful::coalesced_by_transport));
  CHECK(warning(analysis, Doubtful::coalesced_by_transport)->count == 117);
  check(expect, "zero_gap_share", warning(analysis, Doubtful::coalesced_by_transport)->share);
  check(expect, "tpot_ms", in_ms(analysis.latency(Latency::tpot).mean));
  for (const Quantile& each : analysis.latency(Latency::icl).quantiles) {
    CHECK_FALSE(each.value.has_value());
    CHECK(each.reason == NoInterval::coalesced);
  }
}

TEST_CASE("MEAS-23: requests given up at the limit stay in: P90 is more than 60 s, not 40") {
  const auto expect = expected("MEAS-23");
  std::vector<event::RequestRecord> records;
  for (const auto& row : rows_of("MEAS-23")) {
    if (is_failed(row)) {
      records.push_back(failure(0, number(row, "gave_up_at_s") * 1000, Failure::timeout_request));
    } else {
      records.push_back(answered(0, {}, number(row, "e2e_s") * 1000));
    }
  }
  const Analysis analysis = analysis_of(std::move(records), 10);
  const Metric& e2e = analysis.latency(Latency::e2e);
  check(expect, "success_rate", static_cast<double>(analysis.succeeded) / static_cast<double>(analysis.attempted));
  check(expect, "p50_s", e2e.at(0.5)->value ? std::optional(to_seconds(*e2e.at(0.5)->value)) : std::nullopt);
  CHECK_FALSE(e2e.at(0.9)->value.has_value());
  check(expect, "p90_censored_at_s",
        e2e.at(0.9)->at_least ? std::optional(to_seconds(*e2e.at(0.9)->at_least)) : std::nullopt);
  CHECK(warning(analysis, Doubtful::timeouts));
}

TEST_CASE("MEAS-24: a handful of prompts replayed is told by the hashes of what was sent") {
  const auto expect = expected("MEAS-24");
  std::vector<event::RequestRecord> records;
  for (const auto& row : rows_of("MEAS-24")) {
    records.push_back(answered(0, {10}, 20));
    records.back().prompt_hash = hash_bytes(row.at("prompt").as_string());
  }
  const Analysis analysis = analysis_of(std::move(records), 20);
  REQUIRE(analysis.distinct.has_value());
  check(expect, "requests", static_cast<double>(analysis.distinct->requests));
  check(expect, "distinct", static_cast<double>(analysis.distinct->distinct));
  check(expect, "share", analysis.distinct->share);
  REQUIRE(dataset::warning_of(*analysis.distinct).has_value());
  CHECK(dataset::warning_of(*analysis.distinct)->code == expect.at("flags").at(0).as_string());
}

}  // namespace scoville::analyse
