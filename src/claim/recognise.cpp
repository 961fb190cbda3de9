#include "claim/recognise.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "claim/device_words.hpp"
#include "claim/ratio_words.hpp"
#include "claim/words.hpp"

namespace scoville::claim {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

void find_ratio(std::string_view text, const std::vector<WrittenRatio>& found, Recognised& out) {
  if (found.size() == 1) out.ratio = found.front().ratio;
  out.is_up_to = out.ratio && has(text, "up to|as much as|最高|高达|多达");
}

void find_rate(std::string_view text, Recognised& out) {
  const auto found = find_all(text, "([0-9][0-9,]*(?:\\.[0-9]+)?) ?(?:tokens?/s|tok/s|tokens? per second|tokens?/sec)");
  if (found.size() != 1) return;
  out.value = number_of(found.front().groups[1]);
  out.unit = "tokens/s";
}

/// The one that is named; of several the one that the ratio is of. A condition ("at 50 ms TPOT") is none.
void find_metric(std::string_view text, const std::vector<Noun>& nouns, const std::vector<WrittenRatio>& ratios,
                 Recognised& out) {
  std::set<std::string> names;
  for (const Noun& each : nouns) {
    if (!each.is_condition && !each.metric.empty()) names.insert(each.metric);
  }
  if (names.contains("ttft") || names.contains("tpot")) names.erase("latency");
  if (names.contains("perf_per_watt") || names.contains("price_performance")) names.erase("throughput");
  if (names.size() == 1) {
    out.metric = *names.begin();
  } else if (ratios.size() == 1) {
    const Noun* const noun = noun_of(text, nouns, ratios.front().at, ratios.front().end, false);
    if (noun && names.contains(noun->metric)) out.metric = noun->metric;
  }
}

/// The only one of its kind, as it is written; "" where there are several.
std::string only(std::string_view text, const char* pattern) {
  std::set<std::string> seen;
  std::string first;
  for (const Found& each : find_all(text, pattern)) {
    if (seen.insert(lower(each.groups[0])).second && first.empty()) first = each.groups[0];
  }
  return seen.size() == 1 ? first : "";
}

}  // namespace

Recognised recognise(std::string_view sentence) {
  Recognised out;
  const std::vector<Noun> nouns = nouns_in(sentence);
  const std::vector<WrittenRatio> ratios = ratios_in(sentence, nouns);
  find_ratio(sentence, ratios, out);
  find_rate(sentence, out);
  find_metric(sentence, nouns, ratios, out);
  const NamedDevices devices = devices_in(sentence);
  out.subject = devices.subject;
  out.comparator = devices.comparator;
  out.weights = lower(only(sentence, "\\b(?:nvfp4|mxfp4|mxfp8|fp4|fp8|fp16|bf16|fp32|fp64|int4|int8)\\b"));
  out.model = only(sentence,
                   "\\b(?:llama|qwen|mixtral|mistral|gemma|phi|glm|gpt-oss|deepseek)[- ]?[a-z]?[0-9][a-z0-9.]*"
                   "(?:-[a-z0-9.]+)*(?: [0-9]+b\\b)?");
  return out;
}

}  // namespace scoville::claim
