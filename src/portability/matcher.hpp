#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "portability/pattern.hpp"
#include "portability/rules.hpp"
#include "portability/words.hpp"

namespace scoville::portability {

/// The rules, made ready for reading many files. Any number of threads may read it. The rules outlive it.
class Matcher {
 public:
  explicit Matcher(const RuleSet& set);

  const RuleSet& set() const { return *set_; }
  const Words& words() const { return words_; }
  /// The rules that look for this word, in the order of the set.
  const std::vector<std::uint16_t>& rules_of(std::uint16_t word) const { return rules_of_[word]; }
  bool is_of(std::uint16_t word, std::size_t rule) const;
  /// The pattern of a rule; none: its words as a whole.
  const std::optional<Pattern>& pattern(std::size_t rule) const { return patterns_[rule]; }

 private:
  const RuleSet* set_;
  Words words_;
  std::vector<std::vector<std::uint16_t>> rules_of_;
  std::vector<std::optional<Pattern>> patterns_;
};

}  // namespace scoville::portability
