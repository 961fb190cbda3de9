#include "claim/device_words.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "claim/words.hpp"

namespace scoville::claim {
namespace {

/// Names that mean one product and nothing else; "L4" and "T4" could be anything.
constexpr const char* kNames =
    "GB[23]00(?: NVL ?72)?|GH200|[BH][123]00|H800|H20|A[18]00|L20|L40S?|V100|RTX [0-9]{4}|"
    "MI2[15]0X?|MI3[0-9]{2}[XA]?|Gaudi ?[23]|TPU v[0-9][ep]?|Trainium ?[123]|Trn[12]|"
    "(?:Ascend |昇腾 ?)?910(?:B[1-4]?|C)|MLU[0-9]{3}(?:-X8)?|MTT S[0-9]{4}|BR10[46]|Jalape(?:n|ñ)o|Ironwood";

/// "8xH100" names it too; "GH100" does not.
bool begins_there(std::string_view text, std::size_t at) {
  if (at == 0 || !is_word(text[at - 1])) return at == 0 || text[at - 1] != '-';
  return at >= 2 && (text[at - 1] == 'x' || text[at - 1] == 'X') &&
         std::isdigit(static_cast<unsigned char>(text[at - 2]));
}

bool ends_there(std::string_view text, std::size_t end) {
  if (end < text.size() && (text[end] == 's' || text[end] == 'S')) ++end;  // "H100s"
  return end >= text.size() || !is_word(text[end]);
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::vector<Found> distinct(std::string_view text) {
  std::vector<Found> out;
  for (Found& each : find_all(text, kNames)) {
    if (!begins_there(text, each.at) || !ends_there(text, each.end)) continue;
    const bool is_known = std::any_of(
        out.begin(), out.end(), [&](const Found& other) { return upper(other.groups[0]) == upper(each.groups[0]); });
    if (!is_known) out.push_back(std::move(each));
  }
  return out;
}

bool compares(std::string_view between) {
  if (has(between,
          "\\b(?:than|beats?|over|vs|versus|against|outperforms?|surpass(?:es)?|exceeds?|compared (?:to|with))\\b"))
    return true;
  if (has(between, "优于|超过|胜过|领先")) return true;
  // "A 比 B 快": the word stands right before B. "性价比" is another word.
  return has(between, "比 ?(?:[0-9]+ ?(?:x|×|台|张|卡|块)? ?)?(?:NVIDIA ?|AMD ?|Instinct ?|英伟达 ?|华为 ?)*$") &&
         !has(between, "价比 ?$");
}

}  // namespace

NamedDevices devices_in(std::string_view text) {
  const std::vector<Found> named = distinct(text);
  if (named.size() != 2) return {};
  const std::string_view between = text.substr(named[0].end, named[1].at - named[0].end);
  if (!compares(between)) return {};
  return {named[0].groups[0], named[1].groups[0]};
}

}  // namespace scoville::claim
