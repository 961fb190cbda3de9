#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "text/catalogue.hpp"

namespace scoville::evidence {

/// Our names for what other tools measure, as in docs/method.md. `none`: we have no such figure.
enum class Metric {
  none,
  ttft,
  ttfa,
  tpot,
  ntpot,
  icl,
  e2e,
  requests_per_s,
  output_tokens_per_s,
  input_tokens_per_s,
  total_tokens_per_s,
  goodput_per_s,
  offered_per_s,
  attainment,
  in_flight_mean,
  in_flight_peak,
  mean_prompt_tokens,
  mean_output_tokens,
};
inline constexpr std::size_t kMetricCount = 18;
std::string_view name_of(Metric metric);
std::optional<Metric> metric_from(std::string_view name);
inline bool is_latency(Metric metric) { return metric >= Metric::ttft && metric <= Metric::e2e; }

/// Whether a figure may be held beside ours of the same name.
enum class Comparable { yes, roughly, no };
std::string_view name_of(Comparable comparable);

/// How a tool got a figure. One code for each way that differs from the others in what it measures.
enum class Definition {
  ttft_choice_chunk,
  ttft_new_connection,
  ttft_text_from_send,
  ttft_first_chunk,
  ttft_scheduled,
  ttft_documented,
  ttfa_text_from_send,
  tpot_from_latency,
  tpot_from_tokens,
  tpot_chunk_span,
  tpot_weighted,
  tpot_after_first_chunk,
  tpot_documented,
  ntpot_from_send,
  ntpot_weighted,
  icl_choice_chunks,
  icl_text_chunks,
  icl_per_token_share,
  icl_zero_filled,
  icl_documented,
  e2e_choice_chunk,
  e2e_with_queue,
  e2e_last_event,
  e2e_last_content,
  e2e_response_end,
  e2e_scheduled,
  client_queue,
  rate_dispatch,
  rate_server_info,
  rate_window,
  rate_responses,
  rate_stage,
  rate_documented,
  rate_per_device,
  rate_per_device_split,
  rate_endpoints,
  rate_loadgen,
  rate_offered,
  peak_second,
  in_flight_sum,
  in_flight_peak,
  goodput_rate,
  attainment_attempted,
  attainment_successes,
  tokens_a_request,
  inverse_tpot,
  other,
};
inline constexpr std::size_t kDefinitionCount = 47;

struct DefinitionInfo {
  Definition definition;
  std::string_view code;
  Comparable comparable;
  text::Msg words;       ///< what was measured
  text::Msg difference;  ///< against ours, and in which direction
};
const DefinitionInfo& info_of(Definition definition);
std::optional<Definition> definition_from(std::string_view code);

/// Whether vLLM's client measures so: a run of ours can say the same of itself (analyse::VllmView).
bool is_vllms(Definition definition);

}  // namespace scoville::evidence
