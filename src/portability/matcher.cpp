#include "portability/matcher.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "base/check.hpp"

namespace scoville::portability {
namespace {

std::vector<std::string> all_words(const RuleSet& set) {
  std::map<std::string, int> seen;
  for (const Rule& rule : set.rules)
    for (const std::string& word : rule.words) seen[word] = 1;
  std::vector<std::string> out;
  for (const auto& [word, one] : seen) out.push_back(word);
  return out;
}

}  // namespace

Matcher::Matcher(const RuleSet& set) : set_(&set), words_(all_words(set)) {
  const std::vector<std::string> words = all_words(set);
  rules_of_.resize(words.size());
  for (std::size_t rule = 0; rule < set.rules.size(); ++rule) {
    for (const std::string& word : set.rules[rule].words) {
      const auto at = std::lower_bound(words.begin(), words.end(), word) - words.begin();
      rules_of_[static_cast<std::size_t>(at)].push_back(static_cast<std::uint16_t>(rule));
    }
    if (set.rules[rule].pattern.empty()) {
      patterns_.emplace_back();
      continue;
    }
    Result<Pattern> made = Pattern::make(set.rules[rule].pattern);
    SCOVILLE_CHECK(made.ok(), "a rule that was read has a pattern that can be compiled");
    patterns_.emplace_back(*std::move(made));
  }
}

bool Matcher::is_of(std::uint16_t word, std::size_t rule) const {
  const std::vector<std::uint16_t>& rules = rules_of_[word];
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

}  // namespace scoville::portability
