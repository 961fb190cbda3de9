#include <array>

#include "evidence/chunk_arrays.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

constexpr double kMillis = 1000;

/// Its own API tells the tokens of each chunk, and its client divides by them; the OpenAI one does not.
bool is_native(const std::string& backend) { return backend == "sglang" || backend == "sglang-native"; }

std::array<Theirs, 4> latencies(bool native) {
  return {{
      {"ttft", Metric::ttft, Definition::ttft_new_connection, Unit::seconds, kMillis},
      {"tpot", Metric::tpot, Definition::tpot_from_latency, Unit::seconds, kMillis},
      {"itl", native ? Metric::none : Metric::icl,
       native ? Definition::icl_per_token_share : Definition::icl_text_chunks, Unit::seconds, kMillis},
      {"e2e_latency", Metric::e2e, Definition::e2e_last_event, Unit::seconds, kMillis},
  }};
}

constexpr std::array<Theirs, 6> kRates{{
    {"request_throughput", Metric::requests_per_s, Definition::rate_server_info, Unit::per_second},
    {"input_throughput", Metric::input_tokens_per_s, Definition::rate_server_info, Unit::tokens_per_second},
    {"output_throughput", Metric::output_tokens_per_s, Definition::rate_server_info, Unit::tokens_per_second},
    {"total_throughput", Metric::total_tokens_per_s, Definition::rate_server_info, Unit::tokens_per_second},
    {"concurrency", Metric::in_flight_mean, Definition::in_flight_sum, Unit::requests},
    {"accept_length", Metric::none, Definition::other, Unit::tokens},
}};

void put_latencies(ExternalResult& result, const Members& line, bool native) {
  for (const Theirs& what : latencies(native)) {
    for (const char* statistic : {"mean", "median", "std", "p90", "p95", "p99"}) {
      const std::string key = std::string(statistic) + "_" + std::string(what.name) + "_ms";
      put(result, line, key, what, std::string_view(statistic) == "median" ? "p50" : statistic);
    }
  }
}

void read_load(LoadSaid& load, const Members& line) {
  const auto* const rate = line.object().if_contains("request_rate");
  // Python's Infinity reads as null: all at once.
  load.is_unlimited = rate && (rate->is_null() || rate->is_string());
  if (rate && !rate->is_string()) load.requests_per_s = line.number("request_rate");
  load.concurrency = line.count("max_concurrency");
  load.input_tokens = line.number("random_input_len");
  load.output_tokens = line.number("random_output_len");
  load.dataset = line.text("dataset_name");
  if (load.requests_per_s) load.arrivals = "poisson";
}

}  // namespace

bool is_sglang(const json::object& object) {
  return has_all(object, {"backend", "duration", "completed", "total_output_tokens_retokenized"}) ||
         has_all(object, {"backend", "duration", "completed", "mean_e2e_latency_ms"});
}

ExternalResult read_sglang(const Members& line) {
  ExternalResult out;
  out.tool = Tool::sglang;
  const std::string backend = line.text("backend");
  const bool native = is_native(backend);
  out.endpoint = backend;
  if (const auto* const info = line.object().if_contains("server_info"); info && info->is_object())
    out.model = line.member("server_info").text("model_path");
  read_load(out.load, line);
  out.counts.completed = line.count("completed");
  out.duration_s = line.number("duration");
  out.duration_rule = DurationRule::server_info;
  out.quantile_rule = QuantileRule::linear;
  out.token_source = native ? TokenSource::reported : TokenSource::requested;
  put_latencies(out, line, native);
  for (const Theirs& what : kRates) put(out, line, what.name, what);
  if (!native) {
    put_chunk_arrays(out, line,
                     {Definition::ttft_new_connection, Definition::e2e_last_event, Definition::tpot_chunk_span,
                      Definition::ntpot_from_send, Definition::icl_text_chunks});
  }
  return out;
}

}  // namespace scoville::evidence
