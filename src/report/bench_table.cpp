#include <fmt/format.h>

#include <algorithm>

#include "base/duration.hpp"
#include "report/bench_report.hpp"
#include "report/beside.hpp"
#include "report/calibration_table.hpp"
#include "report/cells.hpp"
#include "report/launch_lines.hpp"
#include "report/model_based.hpp"
#include "report/offline.hpp"
#include "report/system_lines.hpp"
#include "report/validity_report.hpp"
#include "report/words.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using analyse::Analysis;
using analyse::Latency;
using analyse::Metric;
using analyse::Quantile;
using text::Msg;
using text::say;

/// "[49.8 … 50.6 ms]" or why there is none.
std::string interval(const Quantile* quantile) {
  if (!quantile || !quantile->value) return kNone;
  if (!quantile->low || !quantile->high) return kNone;
  return fmt::format("{} … {}", format_duration(*quantile->low), format_duration(*quantile->high));
}

std::vector<std::string> latency_row(const std::string& name, const Metric& metric) {
  return {name,
          fmt::format("{}", metric.n),
          span(metric.mean, metric.mean_at_least),
          cell(metric.at(0.5)),
          interval(metric.at(0.5)),
          cell(metric.at(0.95)),
          cell(metric.at(0.99)),
          span(metric.largest, metric.largest_at_least)};
}

bool is_same(const Metric& a, const Metric& b) {
  return a.n == b.n && a.mean == b.mean && a.mean_at_least == b.mean_at_least;
}

std::string latency_table(const Analysis& analysis) {
  text::Table table({say(Msg::column_latency), "n", say(Msg::column_mean), "P50", say(Msg::column_interval), "P95",
                     "P99", say(Msg::column_max)});
  for (std::size_t i = 0; i < analyse::kLatencyCount; ++i) {
    const Latency which = static_cast<Latency>(i);
    const bool repeats_ttft =
        which == Latency::ttfa && is_same(analysis.latency(which), analysis.latency(Latency::ttft));
    if (repeats_ttft) continue;  // no reasoning came before the answer
    if (!analysis.makes_tokens && which != Latency::e2e) continue;
    table.add_row(latency_row(latency_name(which), analysis.latencies[i]));
  }
  std::string out = table.render();
  const bool lacks_interval = std::any_of(analysis.latencies.begin(), analysis.latencies.end(), [](const Metric& each) {
    const Quantile* const median = each.at(0.5);
    return median && median->value && !median->low;
  });
  if (lacks_interval) out += "  " + say(Msg::interval_missing) + "\n";
  return out;
}

std::string rate_table(const Analysis& analysis) {
  text::Table table({say(Msg::column_rate), say(Msg::column_full), say(Msg::column_steady)});
  const auto row = [&](Msg name, const analyse::Rate& rate) {
    table.add_row({say(name), number(rate.full), number(rate.steady)});
  };
  if (analysis.makes_tokens) row(Msg::row_output_rate, analysis.rates.output_tokens_per_s);
  row(analysis.makes_tokens ? Msg::row_total_rate : Msg::row_prompt_rate, analysis.rates.total_tokens_per_s);
  row(Msg::row_request_rate, analysis.rates.requests_per_s);
  return table.render();
}

std::string millis(std::optional<double> nanos) {
  return nanos ? format_duration(Nanos(static_cast<std::int64_t>(*nanos))) : kNone;
}

/// The same run as vLLM's client would print it, beside ours.
std::string vllm_table(const Analysis& analysis, bool has_schedule) {
  text::Table table({say(Msg::column_definition), say(Msg::column_mean), "P50", "P99"});
  const auto ours = [&](const std::string& name, const Metric& metric) {
    table.add_row({name, span(metric.mean, metric.mean_at_least), cell(metric.at(0.5)), cell(metric.at(0.99))});
  };
  const auto theirs = [&](const std::string& name, const analyse::NumpyStatistics& statistics) {
    table.add_row({name, millis(statistics.mean), millis(statistics.median), millis(statistics.p99)});
  };
  ours(say(has_schedule ? Msg::row_ttft_due : Msg::row_ttft_sent), analysis.latency(Latency::ttft));
  if (has_schedule) ours(say(Msg::row_ttft_written), analysis.from_written[static_cast<std::size_t>(Latency::ttft)]);
  theirs(say(Msg::row_ttft_vllm), analysis.vllm.ttft);
  ours(say(Msg::row_tpot_ours), analysis.latency(Latency::tpot));
  theirs(say(Msg::row_tpot_vllm), analysis.vllm.tpot);
  std::string out = table.render();
  const Quantile* const median = analysis.latency(Latency::ttft).at(0.5);
  const bool differs = median && median->value && analysis.vllm.ttft.median &&
                       *analysis.vllm.ttft.median < 0.5 * static_cast<double>(median->value->count());
  if (differs) out += "  " + say(Msg::vllm_first_chunk) + "\n";
  return out;
}

/// "99.5 tokens/s": what one user sees at this TPOT; empty where the TPOT has no value.
std::string per_user(const Quantile* tpot) {
  if (!tpot || !tpot->value || *tpot->value <= Nanos::zero()) return "";
  return fmt::format("{:.3g}", 1 / to_seconds(*tpot->value));
}

std::string figures_table(const Analysis& analysis, const BenchSubject& subject) {
  text::Table table({say(Msg::column_figure), say(Msg::column_value)});
  table.flush_left(1);
  const auto median = [&](Latency which) {
    const Metric& metric = analysis.latency(which);
    return metric.n ? "P50 " + cell(metric.at(0.5)) + "   P95 " + cell(metric.at(0.95)) : std::string(kNone);
  };
  table.add_row({"1  TTFT", median(Latency::ttft)});
  const std::string typical = per_user(analysis.latency(Latency::tpot).at(0.5));
  const std::string slow = per_user(analysis.latency(Latency::tpot).at(0.95));
  table.add_row(
      {"2  TPOT", median(Latency::tpot) +
                      (typical.empty() || slow.empty() ? "" : "   " + say(Msg::value_per_user, typical, slow))});
  const analyse::Rate& tokens =
      analysis.makes_tokens ? analysis.rates.output_tokens_per_s : analysis.rates.total_tokens_per_s;
  table.add_row(
      {say(Msg::figure_throughput), say(analysis.makes_tokens ? Msg::value_throughput : Msg::value_throughput_prompts,
                                        number(tokens.full), number(analysis.rates.requests_per_s.full))});
  table.add_row(
      {say(Msg::figure_memory), say(Msg::value_memory, number(analysis.in_flight_mean), analysis.in_flight_peak)});
  table.add_row({say(Msg::figure_power), say(Msg::value_power)});
  table.add_row({say(Msg::figure_cost), cost_value(subject.price, analysis.rates)});
  return table.render();
}

std::string bucket_table(const Analysis& analysis) {
  text::Table table({say(Msg::column_bucket), "n", "TTFT P50", "TTFT P95", "TPOT P50", "TPOT P95"});
  for (const analyse::Bucket& each : analysis.buckets) {
    table.add_row({fmt::format("{}–{}", each.from, each.to), fmt::format("{}", each.n), cell(each.ttft.at(0.5)),
                   cell(each.ttft.at(0.95)), cell(each.tpot.at(0.5)), cell(each.tpot.at(0.95))});
  }
  return table.render();
}

/// "TTFT ≤ 200 ms, TPOT ≤ 50.0 ms".
std::string limits_text(const plan::Limits& limits) {
  std::string out;
  const auto add = [&](const char* name, std::optional<Nanos> limit) {
    if (limit) out += fmt::format("{}{} ≤ {}", out.empty() ? "" : ", ", name, format_duration(*limit));
  };
  add("TTFT", limits.ttft);
  add("TPOT", limits.tpot);
  add("E2E", limits.e2e);
  return out;
}

/// The share of good requests with its bound, and what ten calls of one application come to.
std::string goodput_lines(const Analysis& analysis) {
  if (!analysis.goodput) return "";
  const analyse::GoodputFigure& figure = *analysis.goodput;
  const std::string share = fmt::format("{:.2f} %", figure.counts.attainment * 100);
  const std::string rate = fmt::format("{:.4g}", figure.counts.goodput);
  const std::string line = figure.at_least
                               ? say(Msg::goodput_line, figure.counts.good, figure.counts.attempted, share,
                                     fmt::format("{:.2f} %", *figure.at_least * 100), rate, limits_text(figure.limits))
                               : say(Msg::goodput_line_withheld, figure.counts.good, figure.counts.attempted, share,
                                     rate, limits_text(figure.limits));
  return line + "\n" + fan_out_line(analysis);
}

std::string instrument_line(const Analysis& analysis) {
  const analyse::Instrument& instrument = analysis.instrument;
  const std::string busy =
      instrument.loop_busy_share ? fmt::format("{:.0f} %", *instrument.loop_busy_share * 100) : kNone;
  return say(Msg::instrument_line, verdict_name(instrument.verdict), span(instrument.send_lag.p99),
             span(instrument.read_lag.p99), busy, describe(analysis.error_bound));
}

std::string failure_lines(const Analysis& analysis) {
  std::string out;
  for (std::size_t i = 1; i < event::kFailureCount; ++i) {
    if (analysis.failed[i] == 0) continue;
    out += fmt::format("  {:>6}  {}\n", analysis.failed[i], describe(static_cast<event::Failure>(i)));
  }
  return out;
}

std::string tables(const Analysis& analysis, const plan::LoadPlan& plan, const BenchSubject& subject) {
  std::string out = latency_table(analysis) + "\n" + rate_table(analysis) + "\n";
  out += analysis.makes_tokens ? say(Msg::vllm_head) + "\n" + vllm_table(analysis, plan.has_schedule()) + "\n"
                               : text::wrapped(say(Msg::no_tokens_line), kLineWidth, 0) + "\n";
  if (const std::string turns = turn_table(analysis); !turns.empty()) out += turns + "\n";
  if (plan.is_offline) out += offline_table(analyse::offline_job(analysis, plan)) + "\n";
  if (!analysis.buckets.empty() && analysis.makes_tokens)
    out += say(Msg::buckets_head) + "\n" + bucket_table(analysis) + "\n";
  return out + say(Msg::figures_head) + "\n" + figures_table(analysis, subject) +
         model_based_line(model_based_share(analysis, subject)) + "\n";
}

/// What the figures hold for, and no further.
std::string closing_sentence(const Analysis& analysis, const plan::LoadPlan& plan, const plan::RequestShape& shape,
                             const BenchSubject& subject) {
  if (analysis.succeeded == 0) return say(Msg::closing_nothing, analysis.attempted);
  if (analysis.instrument.verdict == analyse::Verdict::bottleneck) return say(Msg::closing_bottleneck);
  const std::string lengths =
      analysis.makes_tokens
          ? say(Msg::closing_lengths, number(analysis.mean_prompt_tokens), number(analysis.mean_output_tokens))
          : say(Msg::closing_prompt_length, number(analysis.mean_prompt_tokens));
  const std::string model = is_listed(subject) ? shape.model : say(Msg::closing_unlisted, shape.model);
  return say(Msg::closing_sentence, model, subject.url, describe_load(plan), lengths, analysis.succeeded,
             analysis.attempted, format_duration(analysis.full.length()));
}

}  // namespace

std::string_view load_kind(const plan::LoadPlan& plan) {
  if (plan.has_schedule()) return plan.max_concurrency ? "open_capped" : "open";
  return plan.max_concurrency ? "closed" : "unlimited";
}

std::string describe_load(const plan::LoadPlan& plan) {
  if (plan.is_offline) return say(Msg::load_offline, plan.max_concurrency);
  if (!plan.has_schedule()) {
    return plan.max_concurrency ? say(Msg::load_closed, plan.max_concurrency) : say(Msg::load_unlimited);
  }
  const std::string rate = fmt::format("{:.6g}", *plan.arrivals.rate);
  if (plan.arrivals.trace_speed) {
    const std::string speed = fmt::format("{:.6g}", *plan.arrivals.trace_speed);
    return plan.max_concurrency ? say(Msg::load_trace_capped, speed, rate, plan.max_concurrency)
                                : say(Msg::load_trace, speed, rate);
  }
  const std::string kind = plan.arrivals.is_constant         ? say(Msg::arrivals_constant)
                           : plan.arrivals.burstiness == 1.0 ? say(Msg::arrivals_poisson)
                                                             : say(Msg::arrivals_gamma, plan.arrivals.burstiness);
  return plan.max_concurrency ? say(Msg::load_open_capped, kind, rate, plan.max_concurrency)
                              : say(Msg::load_open, kind, rate);
}

std::string bench_table(const Analysis& analysis, const plan::LoadPlan& plan, const plan::RequestShape& shape,
                        const BenchSubject& subject) {
  std::string out;
  if (analysis.instrument.verdict == analyse::Verdict::bottleneck) out += "!! " + say(Msg::bottleneck_first) + "\n\n";
  out += system_lines(subject, shape);
  out += say(Msg::bench_load, describe_load(plan), subject.dataset.said()) + "\n";
  out += say(Msg::bench_requests, analysis.succeeded, analysis.attempted, analysis.warmup_requests,
             format_duration(analysis.full.length())) +
         "\n";
  out += failure_lines(analysis);
  out += beside_lines(analysis);
  out += "\n";
  if (analysis.succeeded > 0 || analysis.latency(analysis.first_latency()).n > 0)
    out += tables(analysis, plan, subject);
  out += certified_line(analysis);
  out += goodput_lines(analysis);
  if (analysis.makes_tokens) out += validity_line(analysis);  // else there is no series to judge
  out += instrument_line(analysis) + "\n";
  if (analysis.emit) {
    const analyse::EmitError& error = *analysis.emit;
    out += say(Msg::emit_line, span(error.p50), span(error.p99), error.n, millis(error.icl_error_sd_ns)) + "\n";
  }
  for (const dataset::Warning& each : all_warnings(analysis, subject))
    out += text::wrapped("! " + each.sentence.said(), kLineWidth, 2);
  out += launch_tail(subject);
  out += "\n" + text::wrapped(closing_sentence(analysis, plan, shape, subject), kLineWidth, 0);
  return out;
}

}  // namespace scoville::report
