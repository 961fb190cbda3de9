#include "claim/words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace scoville::claim {
namespace {

constexpr const char* kPunctuation = ",(?= |$)|;|[.](?= |$)|，|；|。| and | while | but | 且| 而";

struct Kind {
  const char* pattern;
  const char* metric;
  Good good;
};

/// Of two that overlap the earlier one in the table counts.
constexpr Kind kKinds[] = {
    {"(?:throughput|performance|perf|tokens?) ?(?:per|/) ?(?:watt|w\\b)|per watt|每瓦", "perf_per_watt", Good::more},
    {"price[- /]performance|性价比|performance per dollar", "price_performance", Good::more},
    {"(?:cost|power|energy)[- ](?:efficiency|efficient|effective)|能效", "", Good::more},
    {"ttft|time to first token|first[- ]token|首 ?token", "ttft", Good::less},
    {"tpot|per output token", "tpot", Good::less},
    {"throughput|吞吐", "throughput", Good::more},
    {"performance|speed|bandwidth|tokens|性能|速度|带宽", "", Good::more},
    {"latency|latencies|response time|时延|延迟", "latency", Good::less},
    {"costs?\\b|prices?\\b|expensive|\\btco\\b|成本|价格|费用", "", Good::less},
    {"power|energy|memory|功耗|能耗|显存|内存", "", Good::open},
};

/// "at 50 ms TPOT", "a response time of 2.5 seconds": a place, not what is claimed.
bool is_condition(std::string_view text, std::size_t at, std::size_t end) {
  const std::size_t from = at > 24 ? at - 24 : 0;
  return has(text.substr(from, at - from), "[0-9] ?(?:ms|s|us|sec|seconds?|毫秒|秒)(?: p[0-9]+| 的)? ?$") ||
         has(text.substr(end, 40),
             "^ ?(?:of|below|under|within|at most|<=?|≤|=|:|为|在)? ?[0-9.]+ ?(?:ms|s\\b|us\\b|sec|毫秒|秒)");
}

}  // namespace

std::vector<Found> find_all(std::string_view text, const char* pattern) {
  const std::regex expression(pattern, std::regex::icase | std::regex::ECMAScript);
  std::vector<Found> out;
  using Iterator = std::regex_iterator<std::string_view::const_iterator>;
  for (Iterator i(text.begin(), text.end(), expression), end; i != end; ++i) {
    const auto at = static_cast<std::size_t>(i->position());
    Found found{at, at + static_cast<std::size_t>(i->length()), {}};
    for (const auto& group : *i) found.groups.push_back(group.str());
    out.push_back(std::move(found));
  }
  return out;
}

bool has(std::string_view text, const char* pattern) {
  return std::regex_search(text.begin(), text.end(), std::regex(pattern, std::regex::icase | std::regex::ECMAScript));
}

double number_of(std::string words) {
  words.erase(std::remove(words.begin(), words.end(), ','), words.end());
  double out = 0;
  std::from_chars(words.data(), words.data() + words.size(), out);
  return out;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::vector<Noun> nouns_in(std::string_view text) {
  std::vector<Noun> out;
  std::vector<bool> taken(text.size() + 1);
  for (const Kind& kind : kKinds) {
    for (const Found& each : find_all(text, kind.pattern)) {
      if (taken[each.at] || taken[each.end - 1]) continue;
      std::fill(taken.begin() + static_cast<std::ptrdiff_t>(each.at),
                taken.begin() + static_cast<std::ptrdiff_t>(each.end), true);
      out.push_back({each.at, kind.metric, kind.good, is_condition(text, each.at, each.end)});
    }
  }
  std::sort(out.begin(), out.end(), [](const Noun& a, const Noun& b) { return a.at < b.at; });
  return out;
}

std::string_view clause_after(std::string_view text, std::size_t end) {
  const std::string_view rest = text.substr(end);
  const auto stops =
      find_all(rest, (std::string(kPunctuation) + "| than | at | under | within | with | vs| over ").c_str());
  return stops.empty() ? rest : rest.substr(0, stops.front().at);
}

std::string_view clause_before(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(0, at);
  const auto stops = find_all(rest, kPunctuation);
  return stops.empty() ? rest : rest.substr(stops.back().end);
}

const Noun* noun_of(std::string_view text, const std::vector<Noun>& nouns, std::size_t at, std::size_t end,
                    bool is_before) {
  const std::size_t from = at - clause_before(text, at).size(), upto = end + clause_after(text, end).size();
  const Noun *before = nullptr, *after = nullptr;
  for (const Noun& each : nouns) {
    if (each.is_condition) continue;
    if (each.at >= from && each.at < at) before = &each;
    if (each.at >= end && each.at < upto && !after) after = &each;
  }
  if (is_before) return before ? before : after;
  return after ? after : before;
}

}  // namespace scoville::claim
