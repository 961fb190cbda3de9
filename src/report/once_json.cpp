#include <algorithm>

#include "report/once.hpp"

namespace scoville::report {
namespace {

using event::Failure;
using event::Flag;
using event::RequestRecord;

json::value text_or_null(std::string_view text) {
  if (text.empty()) return nullptr;
  return json::string(text);
}

json::value since(const RequestRecord& record, Moment moment) {
  if (!moment || !record.written) return nullptr;
  return to_millis(*moment - *record.written);
}

json::array millis(const std::vector<Nanos>& spans) {
  json::array list;
  for (const Nanos span : spans) list.push_back(to_millis(span));
  return list;
}

template <class T>
json::value or_null(const std::optional<T>& value) {
  if (!value) return nullptr;
  return *value;
}

json::value probe_result(const RequestRecord& record) {
  if (record.http_status == 503) return "not_ready";
  if (record.succeeded()) return "ready";
  return nullptr;
}

json::value gaps_by_choice(const RequestRecord& record) {
  std::uint8_t last = 0;
  for (const event::TokenEvent& each : record.tokens) last = std::max(last, each.choice);
  json::array lists;
  for (unsigned choice = 0; choice <= last; ++choice) {
    lists.push_back(millis(event::chunk_gaps(record, static_cast<std::uint8_t>(choice))));
  }
  return lists;
}

json::value fulfilled(const RequestRecord& record, const plan::RequestShape& shape) {
  if (!shape.ignore_eos || !record.n_out || record.max_tokens == 0) return nullptr;
  return static_cast<double>(*record.n_out) / record.max_tokens;
}

json::value server_timings(const RequestRecord& record) {
  if (!record.server) return nullptr;
  return json::object{{"prompt_n", or_null(record.server->prompt_n)},
                      {"cache_n", or_null(record.server->cache_n)},
                      {"predicted_n", or_null(record.server->predicted_n)}};
}

std::string answer_of(const RequestRecord& record, std::size_t choice) {
  return record.text && record.text->answers.size() > choice ? record.text->answers[choice] : std::string();
}

}  // namespace

json::object once_json(const RequestRecord& record, const RequestRecord* second, const OnceSubject& subject,
                       const plan::RequestShape& shape) {
  const bool counts_hold = record.succeeded();
  json::object out;
  out["status"] = record.succeeded() ? "ok" : "failed";
  out["error_class"] = record.succeeded() ? json::value(nullptr) : text_or_null(event::name_of(record.failure));
  out["sub_class"] = text_or_null(event::name_of(record.sub_class));
  out["error_message"] = text_or_null(record.error_message);
  out["param"] = text_or_null(record.param);
  out["http_status"] = record.http_status ? json::value(record.http_status) : json::value(nullptr);
  out["retry_after_s"] = number_or_null(record.retry_after_s);
  out["probe_result"] = probe_result(record);
  out["headers_ms"] = since(record, record.headers);
  out["first_byte_ms"] = since(record, record.first_byte);
  out["ttft_any_ms"] = since(record, record.first_token);
  out["ttft_content_ms"] = since(record, record.first_answer);
  out["t_last_ms"] = since(record, record.last_token);
  out["e2e_ms"] = since(record, record.end);
  out["fails_at_ms"] = since(record, record.failed_at);
  out["text"] = answer_of(record, 0);
  json::array texts;
  for (std::size_t i = 0; record.text && i < record.text->answers.size(); ++i)
    texts.push_back(json::string(answer_of(record, i)));
  out["texts"] = std::move(texts);
  out["reasoning"] = record.text ? record.text->reasoning : std::string();
  out["second_text"] = second ? json::value(answer_of(*second, 0)) : json::value(nullptr);
  out["token_events"] = record.tokens.size();
  out["n_out"] = or_null(record.n_out);
  out["n_out_source"] = text_or_null(event::name_of(record.n_out_source));
  out["prompt_tokens"] = or_null(record.prompt_tokens);
  out["cached_tokens"] = or_null(record.cached_tokens);
  out["k_first"] = or_null(record.k_first);
  out["gaps_ms"] = millis(event::chunk_gaps(record));
  out["gaps_by_choice_ms"] = gaps_by_choice(record);
  const auto latencies = event::token_latencies(record);
  out["itl_ms"] = latencies ? json::value(millis(*latencies)) : json::value(nullptr);
  out["tpot_ms"] = counts_hold ? millis_or_null(event::tpot(record)) : json::value(nullptr);
  out["finish_reason"] = text_or_null(record.finish_reason);
  out["malformed"] = record.malformed;
  out["fulfilled"] = fulfilled(record, shape);
  out["server_decode_tok_s"] =
      record.server ? number_or_null(record.server->decode_tokens_per_s) : json::value(nullptr);
  out["server_timings"] = server_timings(record);
  out["redirects_in_measured_run"] = record.redirects;
  json::array flags;
  for (const std::string_view flag : record.flags.names()) flags.push_back(json::string(flag));
  out["flags"] = std::move(flags);
  out["url"] = subject.url;
  out["peer"] = subject.peer;
  out["model"] = subject.model;
  out["dns_ms"] = record.reused_connection || subject.dns_took == Nanos::zero()
                      ? json::value(nullptr)
                      : json::value(to_millis(subject.dns_took));
  out["connect_ms"] = millis_or_null(record.tcp);
  out["tls_ms"] = millis_or_null(record.tls);
  out["rtt_us"] = record.rtt_us ? json::value(record.rtt_us) : json::value(nullptr);
  return out;
}

json::object once_unreachable_json(const Error& error, const plan::RequestShape& shape) {
  RequestRecord record;
  record.failure = error.code == ErrorCode::dns        ? Failure::dns
                   : error.code == ErrorCode::tls      ? Failure::tls
                   : error.code == ErrorCode::resource ? Failure::client_resource
                   : error.code == ErrorCode::protocol ? Failure::protocol
                                                       : Failure::connect;
  record.error_message = error.message;
  return once_json(record, nullptr, {"", "", shape.model, {}}, shape);
}

}  // namespace scoville::report
