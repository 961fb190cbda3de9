#include <array>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

constexpr double kNanos = 1e9;
constexpr std::array<Theirs, 3> kLatencies{{
    {"ttft", Metric::ttft, Definition::ttft_first_chunk, Unit::seconds, kNanos},
    {"tpot", Metric::tpot, Definition::tpot_after_first_chunk, Unit::seconds, kNanos},
    {"latency", Metric::e2e, Definition::e2e_response_end, Unit::seconds, kNanos},
}};

void put_mean(ExternalResult& out, const Members& file, const char* key, Metric metric) {
  if (file.has(key))
    put(out, file.member(key), "avg", {key, metric, Definition::tokens_a_request, Unit::tokens}, "mean");
}

}  // namespace

bool is_endpoints(const json::object& object) {
  return has_all(object, {"n_samples_issued", "n_samples_completed", "ttft", "latency"});
}

ExternalResult read_endpoints(const Members& file) {
  ExternalResult out;
  out.tool = Tool::endpoints;
  out.is_from_documentation = true;
  out.tool_version = file.text("version");
  out.load.requests = file.count("n_samples_issued");
  out.counts.completed = file.count("n_samples_completed");
  out.counts.failed = file.count("n_samples_failed");
  if (const auto duration = file.number("duration_ns")) out.duration_s = *duration / kNanos;
  out.duration_rule = DurationRule::issue;
  out.quantile_rule = QuantileRule::histogram;
  out.token_source = TokenSource::retokenised;
  for (const Theirs& what : kLatencies) {
    if (!file.has(what.name)) continue;
    const Members series = file.member(what.name);
    put_statistics(out, series, what);
    put_statistics(out, series.member("percentiles"), what, percentile);
  }
  put(out, file, "qps", {"qps", Metric::requests_per_s, Definition::rate_endpoints, Unit::per_second});
  put(out, file, "tps", {"tps", Metric::output_tokens_per_s, Definition::rate_endpoints, Unit::tokens_per_second});
  put_mean(out, file, "input_sequence_lengths", Metric::mean_prompt_tokens);
  put_mean(out, file, "output_sequence_lengths", Metric::mean_output_tokens);
  return out;
}

}  // namespace scoville::evidence
