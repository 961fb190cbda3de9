#include <array>

#include "report/workload.hpp"
#include "stats/quantile.hpp"
#include "stats/summary.hpp"

namespace scoville::report {
namespace {

json::value sizes_json(const std::vector<double>& sorted) {
  if (sorted.empty()) return nullptr;
  const auto at = [&](double p) { return number_or_null(stats::nearest_rank_quantile(sorted, p)); };
  return json::object{{"count", sorted.size()}, {"mean", number_or_null(stats::mean(sorted))},
                      {"min", sorted.front()},  {"p50", at(0.5)},
                      {"p90", at(0.9)},         {"p99", at(0.99)},
                      {"max", sorted.back()}};
}

json::object arrivals_json(const workload::Learned& learned, const workload::Arrivals& seen) {
  static constexpr std::array<const char*, 4> kNames{"unknown", "regular", "poisson", "bursty"};
  const bool has_parts = seen.parts > 0;
  return {{"span_s", learned.has_times ? json::value(to_seconds(seen.span)) : json::value(nullptr)},
          {"requests_per_s", number_or_null(seen.rate)},
          {"gap_variation", number_or_null(seen.variation)},
          {"burstiness", number_or_null(seen.burstiness)},
          {"regularity", kNames[static_cast<std::size_t>(seen.regularity)]},
          {"parts", has_parts ? json::value(seen.parts) : json::value(nullptr)},
          {"quietest_part_per_s", has_parts ? json::value(seen.quietest) : json::value(nullptr)},
          {"busiest_part_per_s", has_parts ? json::value(seen.busiest) : json::value(nullptr)},
          {"is_uneven", has_parts ? json::value(seen.is_uneven) : json::value(nullptr)},
          {"whole_seconds", learned.has_times ? json::value(learned.has_coarse_times) : json::value(nullptr)}};
}

json::object prefixes_json(const workload::Learned& learned) {
  const bool is_known = learned.has_prompts && learned.input_tokens > 0;
  const double share =
      is_known ? static_cast<double>(learned.shared_tokens) / static_cast<double>(learned.input_tokens) : 0;
  return {{"share_of_input_tokens", is_known ? json::value(share) : json::value(nullptr)},
          {"chains_that_share", is_known ? json::value(learned.sharing_chains) : json::value(nullptr)},
          {"distinct_blocks", is_known ? json::value(learned.distinct_blocks) : json::value(nullptr)},
          {"block_tokens", learned.workload.block_tokens}};
}

json::object estimates_json(const workload::Learned& learned) {
  static constexpr std::array<const char*, 3> kSources{"measured", "given", "assumed"};
  const workload::LengthDoubts& doubts = learned.doubts;
  return {
      {"tokens_per_char", learned.ratio.value},
      {"tokens_per_char_source", kSources[static_cast<std::size_t>(learned.ratio.source)]},
      {"tokens_per_char_requests", learned.ratio.requests},
      {"input_from_chars", doubts.estimated_input},
      {"input_assumed", doubts.assumed_input},
      {"input_assumed_tokens", doubts.assumed_input > 0 ? json::value(learned.assumed_input) : json::value(nullptr)},
      {"output_from_chars", doubts.estimated_output},
      {"output_from_median", doubts.median_output},
      {"output_not_limited", doubts.unlimited_output},
      {"added_from_chars", learned.estimated_added},
      {"think_from_request", learned.estimated_think}};
}

}  // namespace

json::object workload_json(const workload::Learned& learned, const std::string& file) {
  json::object models;
  for (const auto& [name, count] : learned.models) models[name] = count;
  json::value first_bad = nullptr;
  if (learned.bad > 0) {
    first_bad = json::object{{"file", json::string(learned.first_bad_file)},
                             {"line", learned.first_bad.line},
                             {"reason", json::string(learned.first_bad.reason)}};
  }
  return {{"schema", "scoville.learned/1"},
          {"workload", file},
          {"requests", learned.requests},
          {"chains", learned.workload.chains.size()},
          {"conversations", learned.conversations},
          {"models", std::move(models)},
          {"failed", learned.failed},
          {"stale_connections", learned.stale},
          {"other_lines", learned.skipped},
          {"bad_lines", learned.bad},
          {"first_bad_line", std::move(first_bad)},
          {"arrivals", arrivals_json(learned, learned.arrivals)},
          {"chain_starts", arrivals_json(learned, learned.starts)},
          {"first_input_tokens", sizes_json(learned.sizes.first_input)},
          {"added_input_tokens", sizes_json(learned.sizes.added_input)},
          {"output_tokens", sizes_json(learned.sizes.output)},
          {"turns", sizes_json(learned.sizes.turns)},
          {"think_s", sizes_json(learned.sizes.think_s)},
          {"shared_prefixes", prefixes_json(learned)},
          {"estimates", estimates_json(learned)}};
}

}  // namespace scoville::report
