#include <array>
#include <cmath>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

constexpr std::array<Theirs, 6> kStatistics{{
    {"ttft", Metric::ttft, Definition::ttft_text_from_send, Unit::seconds},
    {"tpot", Metric::tpot, Definition::tpot_from_latency, Unit::seconds},
    {"e2e_latency", Metric::e2e, Definition::e2e_response_end, Unit::seconds},
    {"output_inference_speed", Metric::none, Definition::inverse_tpot, Unit::tokens_per_second},
    {"num_input_tokens", Metric::mean_prompt_tokens, Definition::tokens_a_request, Unit::tokens},
    {"num_output_tokens", Metric::mean_output_tokens, Definition::tokens_a_request, Unit::tokens},
}};
constexpr std::array<Theirs, 4> kRates{{
    {"requests_per_second", Metric::requests_per_s, Definition::rate_documented, Unit::per_second},
    {"mean_input_throughput_tokens_per_s", Metric::input_tokens_per_s, Definition::rate_documented,
     Unit::tokens_per_second},
    {"mean_output_throughput_tokens_per_s", Metric::output_tokens_per_s, Definition::rate_documented,
     Unit::tokens_per_second},
    {"mean_total_tokens_throughput_tokens_per_s", Metric::total_tokens_per_s, Definition::rate_documented,
     Unit::tokens_per_second},
}};

const char* kAggregated = "aggregated_metrics";

}  // namespace

bool is_genai_bench(const json::object& object) {
  const auto* const inner = object.if_contains(kAggregated);
  return inner && inner->is_object() && has_all(inner->get_object(), {"num_completed_requests", "stats"});
}

ExternalResult read_genai_bench(const Members& file) {
  ExternalResult out;
  out.tool = Tool::genai_bench;
  out.is_from_documentation = true;
  const Members run = file.member(kAggregated), stats = run.member("stats");
  out.load.dataset = run.text("scenario");
  const auto concurrency = run.number("num_concurrency");
  const bool is_rate = run.text("iteration_type") == "request_rate";
  if (is_rate) out.load.requests_per_s = concurrency;
  if (concurrency && !is_rate) out.load.concurrency = static_cast<std::int64_t>(std::llround(*concurrency));
  out.load.requests = run.count("num_requests");
  out.counts.completed = run.count("num_completed_requests");
  out.counts.failed = run.count("num_error_requests");
  out.duration_s = run.number("run_duration");
  out.duration_rule = DurationRule::run;
  out.quantile_rule = QuantileRule::linear;
  out.token_source = TokenSource::usage_retokenised;
  for (const Theirs& what : kStatistics) {
    if (!stats.has(what.name)) continue;
    if (what.unit == Unit::tokens)
      put(out, stats.member(what.name), "mean", what, "mean");
    else
      put_statistics(out, stats.member(what.name), what);
  }
  for (const Theirs& what : kRates) put(out, run, what.name, what);
  return out;
}

}  // namespace scoville::evidence
