#include <array>

#include "evidence/figures.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

using text::Msg;

constexpr double kMillis = 1000;

/// Each under the name of newer versions (milliseconds for token times) and of older ones (seconds).
constexpr std::array<Theirs, 18> kAverages{{
    {"Avg Latency (s)", Metric::e2e, Definition::e2e_response_end, Unit::seconds},
    {"Average latency (s)", Metric::e2e, Definition::e2e_response_end, Unit::seconds},
    {"TTFT (ms)", Metric::ttft, Definition::ttft_choice_chunk, Unit::seconds, kMillis},
    {"Average time to first token (s)", Metric::ttft, Definition::ttft_choice_chunk, Unit::seconds},
    {"TPOT (ms)", Metric::tpot, Definition::tpot_from_latency, Unit::seconds, kMillis},
    {"Average time per output token (s)", Metric::tpot, Definition::tpot_from_latency, Unit::seconds},
    {"ITL (ms)", Metric::icl, Definition::icl_choice_chunks, Unit::seconds, kMillis},
    {"Average inter-token latency (s)", Metric::icl, Definition::icl_choice_chunks, Unit::seconds},
    {"Average package latency (s)", Metric::icl, Definition::icl_choice_chunks, Unit::seconds},
    {"Avg Input Tokens", Metric::mean_prompt_tokens, Definition::tokens_a_request, Unit::tokens},
    {"Average input tokens per request", Metric::mean_prompt_tokens, Definition::tokens_a_request, Unit::tokens},
    {"Avg Output Tokens", Metric::mean_output_tokens, Definition::tokens_a_request, Unit::tokens},
    {"Average output tokens per request", Metric::mean_output_tokens, Definition::tokens_a_request, Unit::tokens},
    {"Spec. Accept Rate", Metric::none, Definition::other, Unit::share},
    {"KV Cache Hit Rate (%)", Metric::none, Definition::other, Unit::share, 100},
    {"First-Turn TTFT (ms)", Metric::none, Definition::other, Unit::seconds, kMillis},
    {"Subsequent-Turn TTFT (ms)", Metric::none, Definition::other, Unit::seconds, kMillis},
    {"Decoded Tok/Iter", Metric::none, Definition::other, Unit::tokens},
}};
constexpr std::array<Theirs, 7> kRates{{
    {"Req Throughput (req/s)", Metric::requests_per_s, Definition::rate_dispatch, Unit::per_second},
    {"Request throughput (req/s)", Metric::requests_per_s, Definition::rate_dispatch, Unit::per_second},
    {"Output Throughput (tok/s)", Metric::output_tokens_per_s, Definition::rate_dispatch, Unit::tokens_per_second},
    {"Output token throughput (tok/s)", Metric::output_tokens_per_s, Definition::rate_dispatch,
     Unit::tokens_per_second},
    {"Total Throughput (tok/s)", Metric::total_tokens_per_s, Definition::rate_dispatch, Unit::tokens_per_second},
    {"Total token throughput (tok/s)", Metric::total_tokens_per_s, Definition::rate_dispatch, Unit::tokens_per_second},
    {"Input Throughput (tok/s)", Metric::input_tokens_per_s, Definition::rate_dispatch, Unit::tokens_per_second},
}};
constexpr std::array<Theirs, 7> kColumns{{
    {"Latency (s)", Metric::e2e, Definition::e2e_response_end, Unit::seconds},
    {"TTFT (ms)", Metric::ttft, Definition::ttft_choice_chunk, Unit::seconds, kMillis},
    {"TTFT (s)", Metric::ttft, Definition::ttft_choice_chunk, Unit::seconds},
    {"TPOT (ms)", Metric::tpot, Definition::tpot_from_latency, Unit::seconds, kMillis},
    {"TPOT (s)", Metric::tpot, Definition::tpot_from_latency, Unit::seconds},
    {"ITL (ms)", Metric::icl, Definition::icl_choice_chunks, Unit::seconds, kMillis},
    {"ITL (s)", Metric::icl, Definition::icl_choice_chunks, Unit::seconds},
}};

void begin(ExternalResult& out, const char* part) {
  out.tool = Tool::evalscope;
  out.part = part;
  out.duration_rule = DurationRule::dispatch;
  out.quantile_rule = QuantileRule::floor;
  out.token_source = TokenSource::usage_retokenised;
}

std::optional<std::int64_t> either(const Members& file, const char* newer, const char* older) {
  return file.count(file.has(newer) ? newer : older);
}

/// A list of rows, each a percentile.
void read_rows(ExternalResult& out, const json::array& rows, Fault& fault) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Members row(rows[i], "[" + std::to_string(i) + "]", fault);
    const std::string statistic = percentile(row.text("Percentiles"));
    if (statistic.empty()) continue;
    for (const Theirs& what : kColumns) put(out, row, what.name, what, statistic);
  }
}

/// One object with a list for each column.
void read_columns(ExternalResult& out, const Members& columns) {
  const json::array* const names = columns.list("Percentiles");
  for (const Theirs& what : kColumns) {
    const std::vector<double> values = columns.numbers(what.name);
    for (std::size_t i = 0; names && i < names->size() && i < values.size(); ++i) {
      const json::value& name = (*names)[i];
      const std::string statistic = name.is_string() ? percentile(std::string(name.get_string())) : "";
      if (!statistic.empty())
        put_value(out, values[i], columns.path_of(what.name) + "[" + std::to_string(i) + "]", what, statistic);
    }
  }
}

}  // namespace

bool is_evalscope(const json::object& object) {
  return has_all(object, {"Test Duration (s)", "Success Requests"}) ||
         has_all(object, {"Time taken for tests (s)", "Succeed requests"});
}

ExternalResult read_evalscope(const Members& file) {
  ExternalResult out;
  begin(out, "summary");
  const auto concurrency = either(file, "Concurrency", "Number of concurrency");
  if (concurrency && *concurrency > 0) out.load.concurrency = concurrency;
  if (const auto rate = file.number("Request Rate (req/s)"); rate && *rate > 0) out.load.requests_per_s = rate;
  out.load.requests = either(file, "Total Requests", "Total requests");
  out.counts.completed = either(file, "Success Requests", "Succeed requests");
  out.counts.failed = either(file, "Failed Requests", "Failed requests");
  out.duration_s = file.number(file.has("Test Duration (s)") ? "Test Duration (s)" : "Time taken for tests (s)");
  for (const Theirs& what : kAverages) put(out, file, what.name, what, "mean");
  for (const Theirs& what : kRates) put(out, file, what.name, what);
  return out;
}

bool is_evalscope_percentiles(const json::value& value) {
  const json::value* first = &value;
  if (const json::array* const rows = value.if_array()) first = rows->empty() ? nullptr : &rows->front();
  const json::object* const object = first ? first->if_object() : nullptr;
  return object && has_all(*object, {"Percentiles", "Latency (s)"});
}

ExternalResult read_evalscope_percentiles(const json::value& value, Fault& fault) {
  ExternalResult out;
  begin(out, "percentiles");
  if (const json::array* const rows = value.if_array())
    read_rows(out, *rows, fault);
  else
    read_columns(out, Members(value, "", fault));
  return out;
}

}  // namespace scoville::evidence
