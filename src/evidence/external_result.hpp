#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "evidence/definitions.hpp"

namespace scoville::evidence {

/// Whose file it is. The codes are those of the JSON; label() is for people.
enum class Tool {
  vllm,
  sglang,
  aiperf,
  guidellm,
  inference_perf,
  evalscope,
  aisbench,
  inferencex,
  genai_bench,
  loadgen,
  endpoints
};
std::string_view name_of(Tool tool);
std::string_view label(Tool tool);

enum class Unit { seconds, per_second, tokens_per_second, share, tokens, requests, theirs };
std::string_view name_of(Unit unit);

enum class QuantileRule { unknown, linear, floor, step, nearest, histogram };
enum class TokenSource { unknown, usage_retokenised, usage_chunks, requested, retokenised, reported };
enum class DurationRule { unknown, dispatch, server_info, window, responses, stage, run, issue };
/// The rules in words.
std::string said(QuantileRule rule);
std::string said(TokenSource source);
std::string said(DurationRule rule);

/// One number of theirs, in base units.
struct Figure {
  Metric metric = Metric::none;  ///< ours; none: it stays under their name
  std::string statistic;         ///< "mean", "p50", "p99.9", "std", "min", "max"; empty: there is but one
  std::optional<double> value;   ///< empty: the file says null, NaN or infinity
  Unit unit = Unit::theirs;
  std::string as;          ///< the tool's own key, with its path: "time_to_first_token.p99"
  std::string their_name;  ///< of the metric, without the statistic: "time_to_first_token"
  Definition definition = Definition::other;
  std::string conversion;        ///< what was done to it: "/ 1000"; empty: nothing
  std::uint64_t recomputed = 0;  ///< from so many requests in the file, by nearest rank; 0: the tool's own figure
};

/// What was asked for, as far as the file says.
struct LoadSaid {
  std::optional<double> requests_per_s;
  bool is_unlimited = false;  ///< all at once
  std::optional<std::int64_t> concurrency, requests;
  std::optional<double> input_tokens, output_tokens;
  std::string arrivals, dataset;
};

struct Counts {
  std::optional<std::int64_t> completed, failed, incomplete;  ///< incomplete: cut off at the end of the run
};

struct SourceFile {
  std::string name, sha256;
};

/// A result of another tool: docs/formats/external.md. Never ours: nothing here has an interval, and no comparison
/// takes it.
struct ExternalResult {
  Tool tool = Tool::vllm;
  std::string part;   ///< a piece of a result that the tool spreads over files: "summary", "percentiles", "requests"
  std::string group;  ///< what such pieces have in common
  std::string tool_version, date, model, endpoint;
  LoadSaid load;
  Counts counts;
  bool leaves_failures_out = true;  ///< of its latencies
  std::optional<double> duration_s;
  DurationRule duration_rule = DurationRule::unknown;
  QuantileRule quantile_rule = QuantileRule::unknown;
  TokenSource token_source = TokenSource::unknown;
  bool is_from_documentation = false;
  std::vector<Figure> figures;
  std::vector<SourceFile> files;
};

/// `scoville.external/1`, with the words of the definitions that occur, in English.
json::object to_json(const ExternalResult& result);
Result<ExternalResult> external_from(const json::value& body);

/// The figure of our name; the tool's own before a recomputed one unless `recomputed`. Null: none.
const Figure* find(const ExternalResult& result, Metric metric, std::string_view statistic, bool recomputed = false);

}  // namespace scoville::evidence
