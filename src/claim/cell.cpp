#include "claim/cell.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "claim/words.hpp"

namespace scoville::claim {
namespace {

using Stated = std::map<std::string, Said>;

std::string plain(std::string words) {
  std::transform(words.begin(), words.end(), words.begin(), [](unsigned char c) { return std::tolower(c); });
  return words == "trt-llm" || words == "tensorrt llm" ? "tensorrt-llm" : words;
}

bool names(const std::string& words, const std::string& device) {
  return !device.empty() && plain(words).find(plain(device)) != std::string::npos;
}

/// Which systems a part of the conditions is said of: "… on the H100" of that one, else of both.
void note(Said& said, const std::string& value, const std::string& part, const Claim& claim) {
  const bool is_subject = names(part, claim.subject()), is_comparator = names(part, claim.comparator());
  if (is_subject || !is_comparator) said.subject = plain(value);
  if (is_comparator || !is_subject) said.comparator = plain(value);
}

void read_part(const std::string& part, const Claim& claim, Stated& out) {
  struct Key {
    const char *name, *pattern;
  };
  constexpr Key kKeys[] = {
      {"engine", "vllm|sglang|tensorrt[- ]llm|trt-llm|lmdeploy|llama[.]cpp|mindie|deepspeed|\\btgi\\b"},
      {"precision", "\\b(?:nvfp4|mxfp4|mxfp8|fp4|fp8|fp16|bf16|fp32|int4|int8)\\b"},
      {"metric", "\\b(?:throughput|latency)\\b"},
      {"batch", "\\b(?:batch|concurrency)(?: size| of|[:=])* ?[0-9]+"}};
  for (const Key& key : kKeys) {
    const std::vector<Found> found = find_all(part, key.pattern);
    if (found.size() == 1) note(out[key.name], found.front().groups[0], part, claim);
  }
  Said& batch = out["batch"];
  for (std::string* each : {&batch.subject, &batch.comparator}) {
    std::replace(each->begin(), each->end(), ':', ' ');
    std::replace(each->begin(), each->end(), '=', ' ');
  }
}

Stated stated(const Claim& claim, const Measured& measured) {
  Stated out;
  std::size_t from = 0;
  const std::string& words = measured.conditions;
  for (const Found& stop : find_all(words, ", |; ?|，|；|$")) {
    read_part(words.substr(from, stop.at - from), claim, out);
    from = stop.end;
  }
  if (measured.by == Role::us || claim.party.empty() || measured.party != claim.party) return out;
  const auto fill = [&](const char* name, const char* key) {
    Said own = claim.at(key);
    std::replace(own.subject.begin(), own.subject.end(), ':', ' ');
    std::replace(own.comparator.begin(), own.comparator.end(), ':', ' ');
    Said& said = out[name];
    if (said.subject.empty()) said.subject = plain(own.subject);
    if (said.comparator.empty()) said.comparator = plain(own.comparator);
  };
  fill("engine", "software.engine");
  fill("metric", "metric.name");
  fill("precision", "numerics.weights");
  fill("batch", "workload.load");
  return out;
}

bool is_other(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; }

}  // namespace

bool are_different_cells(const Claim& claim, const Measured& a, const Measured& b) {
  const Stated one = stated(claim, a);
  Stated other = stated(claim, b);
  return std::any_of(one.begin(), one.end(), [&](const auto& each) {
    const Said& said = other[each.first];
    return is_other(each.second.subject, said.subject) || is_other(each.second.comparator, said.comparator);
  });
}

}  // namespace scoville::claim
