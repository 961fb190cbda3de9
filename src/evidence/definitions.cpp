#include "evidence/definitions.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace scoville::evidence {
namespace {

using text::Msg;

constexpr std::array<std::string_view, kMetricCount> kMetricNames{"none",
                                                                  "ttft",
                                                                  "ttfa",
                                                                  "tpot",
                                                                  "ntpot",
                                                                  "icl",
                                                                  "e2e",
                                                                  "requests_per_s",
                                                                  "output_tokens_per_s",
                                                                  "input_tokens_per_s",
                                                                  "total_tokens_per_s",
                                                                  "goodput_per_s",
                                                                  "offered_per_s",
                                                                  "attainment",
                                                                  "in_flight_mean",
                                                                  "in_flight_peak",
                                                                  "mean_prompt_tokens",
                                                                  "mean_output_tokens"};

// Each definition has its two sentences under its own name in the catalogue.
#define SCOVILLE_DEFINITION(name, comparable) \
  DefinitionInfo { Definition::name, #name, Comparable::comparable, Msg::def_##name, Msg::diff_##name }
constexpr std::array<DefinitionInfo, kDefinitionCount> kDefinitions{
    SCOVILLE_DEFINITION(ttft_choice_chunk, roughly),
    SCOVILLE_DEFINITION(ttft_new_connection, roughly),
    SCOVILLE_DEFINITION(ttft_text_from_send, roughly),
    SCOVILLE_DEFINITION(ttft_first_chunk, roughly),
    SCOVILLE_DEFINITION(ttft_scheduled, roughly),
    SCOVILLE_DEFINITION(ttft_documented, roughly),
    SCOVILLE_DEFINITION(ttfa_text_from_send, roughly),
    SCOVILLE_DEFINITION(tpot_from_latency, roughly),
    SCOVILLE_DEFINITION(tpot_from_tokens, yes),
    SCOVILLE_DEFINITION(tpot_chunk_span, roughly),
    SCOVILLE_DEFINITION(tpot_weighted, roughly),
    SCOVILLE_DEFINITION(tpot_after_first_chunk, roughly),
    SCOVILLE_DEFINITION(tpot_documented, roughly),
    SCOVILLE_DEFINITION(ntpot_from_send, roughly),
    SCOVILLE_DEFINITION(ntpot_weighted, roughly),
    SCOVILLE_DEFINITION(icl_choice_chunks, roughly),
    SCOVILLE_DEFINITION(icl_text_chunks, yes),
    SCOVILLE_DEFINITION(icl_per_token_share, no),
    SCOVILLE_DEFINITION(icl_zero_filled, no),
    SCOVILLE_DEFINITION(icl_documented, roughly),
    SCOVILLE_DEFINITION(e2e_choice_chunk, roughly),
    SCOVILLE_DEFINITION(e2e_with_queue, roughly),
    SCOVILLE_DEFINITION(e2e_last_event, roughly),
    SCOVILLE_DEFINITION(e2e_last_content, roughly),
    SCOVILLE_DEFINITION(e2e_response_end, roughly),
    SCOVILLE_DEFINITION(e2e_scheduled, roughly),
    SCOVILLE_DEFINITION(client_queue, no),
    SCOVILLE_DEFINITION(rate_dispatch, roughly),
    SCOVILLE_DEFINITION(rate_server_info, roughly),
    SCOVILLE_DEFINITION(rate_window, roughly),
    SCOVILLE_DEFINITION(rate_responses, roughly),
    SCOVILLE_DEFINITION(rate_stage, roughly),
    SCOVILLE_DEFINITION(rate_documented, roughly),
    SCOVILLE_DEFINITION(rate_per_device, roughly),
    SCOVILLE_DEFINITION(rate_per_device_split, no),
    SCOVILLE_DEFINITION(rate_endpoints, roughly),
    SCOVILLE_DEFINITION(rate_loadgen, roughly),
    SCOVILLE_DEFINITION(rate_offered, roughly),
    SCOVILLE_DEFINITION(peak_second, no),
    SCOVILLE_DEFINITION(in_flight_sum, roughly),
    SCOVILLE_DEFINITION(in_flight_peak, roughly),
    SCOVILLE_DEFINITION(goodput_rate, roughly),
    SCOVILLE_DEFINITION(attainment_attempted, roughly),
    SCOVILLE_DEFINITION(attainment_successes, no),
    SCOVILLE_DEFINITION(tokens_a_request, roughly),
    SCOVILLE_DEFINITION(inverse_tpot, no),
    SCOVILLE_DEFINITION(other, no),
};
#undef SCOVILLE_DEFINITION

}  // namespace

std::string_view name_of(Metric metric) { return kMetricNames[static_cast<std::size_t>(metric)]; }

std::optional<Metric> metric_from(std::string_view name) {
  const auto found = std::find(kMetricNames.begin(), kMetricNames.end(), name);
  if (found == kMetricNames.end()) return std::nullopt;
  return static_cast<Metric>(found - kMetricNames.begin());
}

std::string_view name_of(Comparable comparable) {
  return comparable == Comparable::yes ? "yes" : comparable == Comparable::roughly ? "roughly" : "no";
}

const DefinitionInfo& info_of(Definition definition) {
  const DefinitionInfo& found = kDefinitions[static_cast<std::size_t>(definition)];
  SCOVILLE_CHECK(found.definition == definition, "the table is in the order of the enumeration");
  return found;
}

std::optional<Definition> definition_from(std::string_view code) {
  const auto found =
      std::find_if(kDefinitions.begin(), kDefinitions.end(), [&](const auto& each) { return each.code == code; });
  if (found == kDefinitions.end()) return std::nullopt;
  return found->definition;
}

bool is_vllms(Definition definition) {
  return definition == Definition::ttft_choice_chunk || definition == Definition::tpot_from_latency ||
         definition == Definition::icl_choice_chunks || definition == Definition::e2e_choice_chunk;
}

}  // namespace scoville::evidence
