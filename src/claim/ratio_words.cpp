#include "claim/ratio_words.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace scoville::claim {
namespace {

#define SCOVILLE_NUMBER "([0-9][0-9,]*(?:\\.[0-9]+)?)"
#define SCOVILLE_UPTO "(?: ?(?:-|–|—|~|to|到|至) ?" SCOVILLE_NUMBER ")?"

/// Which way a word says that the subject is ahead.
enum class Way { none, up, down, better, cheaper, worse };

struct WayWord {
  Way way;
  const char* after;   ///< "40% HIGHER"
  const char* before;  ///< "高 40%"
  const char* verb;    ///< "BEATS H200 by 40%"
};

constexpr WayWord kWays[] = {
    {Way::worse, "^[ -]?(?:slower|worse|behind|慢|更慢|更差)", "(?:慢|差|落后)(?:了| )*$",
     "\\b(?:slower|behind|worse|lags)\\b"},
    {Way::better, "^[ -]?(?:better|faster|quicker|ahead|更好|更快|快)", "(?:快|好|领先|优于|胜出)(?:了| )*$",
     "\\b(?:beats?|outperforms?|surpass(?:es)?|exceeds?|faster|quicker|leads|ahead|better)\\b"},
    {Way::cheaper, "^[ -]?(?:cheaper|更便宜|便宜)", "便宜(?:了| )*$", "\\bcheaper\\b"},
    {Way::up, "^[ -]?(?:higher|more|greater|increase|提升|更高|高)", "(?:高|提升|提高|增加|增长)(?:了| )*$",
     "\\b(?:higher|increases?|raises?|improves?)\\b"},
    {Way::down, "^[ -]?(?:lower|less|fewer|shorter|smaller|reduction|更低|低)",
     "(?:低|降低|减少|下降|缩短|降)(?:了| )*$", "\\b(?:lower|lowers|cuts?|reduces?|reduced|less|shorter)\\b"},
};

struct Direction {
  Way way = Way::none;
  bool is_before = false;
};

/// Its word stands right after the figure, or right before it, or is the verb of "… by 40%".
Direction direction_of(std::string_view text, std::size_t at, std::size_t end) {
  const std::string_view after = text.substr(end, 24), before = clause_before(text, at);
  const bool is_by = has(before, " by (?:up to |about |around |as much as )?$");
  for (const WayWord& each : kWays) {
    if (has(after, each.after)) return {each.way, false};
  }
  for (const WayWord& each : kWays) {
    if (has(before, each.before) || (is_by && has(before, each.verb))) return {each.way, true};
  }
  return {};
}

Good good_of(const Noun* noun) { return noun ? noun->good : Good::none; }

/// A share more or less, as a factor; empty: it is not better, or cannot be told.
std::optional<double> factor(double share, Way way, Good good) {
  const bool is_less = good == Good::less;
  if (good == Good::open || way == Way::none || way == Way::worse) return std::nullopt;
  if (way == Way::cheaper || (way == Way::down && is_less))
    return share < 1 ? std::optional(1 / (1 - share)) : std::nullopt;
  if (way == Way::down || is_less) return std::nullopt;  // "40% better latency" could be 1.4, or 1 / 0.6
  return 1 + share;
}

/// No letter or digit directly before it, nor the rest of a longer number or name.
bool stands_alone(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  if (is_word(before) || before == '_') return false;
  const bool is_joint = before == '.' || before == ',' || before == '-';
  return !is_joint || at < 2 || !is_word(text[at - 2]);
}

using Ratios = std::vector<WrittenRatio>;

void add_shares(std::string_view text, const std::vector<Noun>& nouns, Ratios& out) {
  for (const Found& each :
       find_all(text, SCOVILLE_NUMBER "(?: ?%)?" SCOVILLE_UPTO "(?: ?%| ?％| ?percent\\b| per ?cent\\b)")) {
    if (!stands_alone(text, each.at)) continue;
    const auto [way, is_before] = direction_of(text, each.at, each.end);
    const Good good = good_of(noun_of(text, nouns, each.at, each.end, is_before));
    const double low = number_of(each.groups[1]), high = each.groups[2].empty() ? low : number_of(each.groups[2]);
    const auto from = factor(low / 100, way, good), upto = factor(high / 100, way, good);
    if (from && upto) out.push_back({{*from, *upto}, each.at, each.end});
  }
}

/// Something is counted or multiplied here: "8x H100", "2 x 80 GB".
bool is_count(std::string_view after) {
  return has(after,
             "^ ?(?:[0-9]|(?:nvidia |amd |ascend )?(?:g?[abhl]|mi|rtx ?)[0-9]{2,}|gpus?\\b|cards?\\b|nodes?\\b)");
}

bool is_better(Way way, Good good) {
  if (good == Good::open || way == Way::worse) return false;
  if (good == Good::less) return way == Way::down || way == Way::better || way == Way::cheaper;
  return way != Way::down;
}

void add_times(std::string_view text, const std::vector<Noun>& nouns, Ratios& out) {
  for (const Found& each : find_all(text, SCOVILLE_NUMBER "(?: ?(?:x|×))?" SCOVILLE_UPTO " ?(?:x|×|times\\b|倍)")) {
    const std::string_view after = text.substr(each.end, 24);
    const bool is_cut = !after.empty() && is_word(after.front());
    if (is_cut || !stands_alone(text, each.at) || is_count(after)) continue;
    const auto [way, is_before] = direction_of(text, each.at, each.end);
    if (is_before && way == Way::down) continue;  // "降低 2 倍": a half, or a third
    if (!is_better(way, good_of(noun_of(text, nouns, each.at, each.end, is_before)))) continue;
    const double low = number_of(each.groups[1]), high = each.groups[2].empty() ? low : number_of(each.groups[2]);
    if (low > 0) out.push_back({{low, high}, each.at, each.end});
  }
}

void add_halves(std::string_view text, const std::vector<Noun>& nouns, Ratios& out) {
  const auto add = [&](const char* pattern, bool is_before) {
    for (const Found& each : find_all(text, pattern)) {
      if (good_of(noun_of(text, nouns, each.at, each.end, is_before)) == Good::less)
        out.push_back({{2, 2}, each.at, each.end});
    }
  };
  add("(?:降低|减少|下降|缩短|低)(?:了| )*一半|减半|砍半", true);
  add("\\bhalf (?:of )?(?:the|its)\\b|\\bhalves\\b|\\bin half\\b|\\bby half\\b", false);
}

}  // namespace

Ratios ratios_in(std::string_view text, const std::vector<Noun>& nouns) {
  Ratios out;
  add_shares(text, nouns, out);
  add_times(text, nouns, out);
  add_halves(text, nouns, out);
  std::sort(out.begin(), out.end(), [](const WrittenRatio& a, const WrittenRatio& b) { return a.at < b.at; });
  return out;
}

}  // namespace scoville::claim
