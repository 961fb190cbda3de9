#include "claim/recognise.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <regex>
#include <set>
#include <vector>

namespace scoville::claim {
namespace {

using Match = std::match_results<std::string_view::const_iterator>;

std::vector<Match> all(std::string_view text, const char* pattern) {
  const std::regex expression(pattern, std::regex::icase | std::regex::ECMAScript);
  std::vector<Match> out;
  using Iterator = std::regex_iterator<std::string_view::const_iterator>;
  for (Iterator i(text.begin(), text.end(), expression), end; i != end; ++i) out.push_back(*i);
  return out;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// "1,800" is 1800.
double number(std::string words) {
  words.erase(std::remove(words.begin(), words.end(), ','), words.end());
  double out = 0;
  std::from_chars(words.data(), words.data() + words.size(), out);
  return out;
}

#define SCOVILLE_NUMBER "([0-9][0-9,]*(?:\\.[0-9]+)?)"
#define SCOVILLE_BETTER "(?:better|faster|higher|more|提升|更高|更好|更快)"

void find_ratio(std::string_view text, Recognised& out) {
  std::vector<Ratio> found;
  for (const Match& each :
       all(text, SCOVILLE_NUMBER " ?(?:-|–|—|~|to|到|至) ?" SCOVILLE_NUMBER " ?% ?" SCOVILLE_BETTER))
    found.push_back({1 + number(each[1]) / 100, 1 + number(each[2]) / 100});
  if (found.empty()) {
    for (const Match& each : all(text, SCOVILLE_NUMBER " ?% ?" SCOVILLE_BETTER))
      found.push_back({1 + number(each[1]) / 100, 1 + number(each[1]) / 100});
  }
  for (const Match& each : all(text, SCOVILLE_NUMBER " ?(?:x(?![a-z0-9])|×|times|倍)"))
    found.push_back({number(each[1]), number(each[1])});
  if (found.size() == 1 && found.front().low > 0) out.ratio = found.front();
  out.is_up_to = out.ratio && !all(text, "up to|as much as|最高|高达|多达").empty();
}

void find_rate(std::string_view text, Recognised& out) {
  const auto found = all(text, SCOVILLE_NUMBER " ?(?:tokens?/s|tok/s|tokens? per second|tokens?/sec)");
  if (found.size() != 1) return;
  out.value = number(found.front()[1]);
  out.unit = "tokens/s";
}

void find_metric(std::string_view text, Recognised& out) {
  std::set<std::string> names;
  const auto look = [&](const char* pattern, const char* name) {
    if (!all(text, pattern).empty()) names.insert(name);
  };
  look("per watt|每瓦|performance/watt|perf/w", "perf_per_watt");
  look("price[- ]performance|性价比|performance per dollar", "price_performance");
  look("ttft|first[- ]token|首 ?token", "ttft");
  look("tpot|per output token", "tpot");
  if (names.size() == 1) out.metric = *names.begin();
}

/// The only one of its kind, as it is written; "" where there are several.
std::string only(std::string_view text, const char* pattern) {
  std::set<std::string> seen;
  std::string first;
  for (const Match& each : all(text, pattern)) {
    if (seen.insert(lower(each[0].str())).second && first.empty()) first = each[0].str();
  }
  return seen.size() == 1 ? first : "";
}

}  // namespace

Recognised recognise(std::string_view sentence) {
  Recognised out;
  find_ratio(sentence, out);
  find_rate(sentence, out);
  find_metric(sentence, out);
  out.weights = lower(only(sentence, "\\b(?:nvfp4|mxfp4|mxfp8|fp4|fp8|fp16|bf16|fp32|fp64|int4|int8)\\b"));
  out.model = only(sentence,
                   "\\b(?:llama|qwen|mixtral|mistral|gemma|phi|glm|gpt-oss|deepseek)[- ]?[a-z]?[0-9][a-z0-9.]*"
                   "(?:-[a-z0-9.]+)*(?: [0-9]+b\\b)?");
  return out;
}

}  // namespace scoville::claim
