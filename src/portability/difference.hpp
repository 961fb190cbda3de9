#pragma once

#include <compare>
#include <tuple>

#include "portability/survey.hpp"

namespace scoville::portability {

/// A place as a file of an earlier survey keeps it. Its line number does not identify it: code moves.
struct KeptPlace {
  std::string rule, file, text;
  std::uint32_t cell = 0, line = 0;

  friend auto operator<=>(const KeptPlace& a, const KeptPlace& b) {
    return std::tie(a.rule, a.file, a.text) <=> std::tie(b.rule, b.file, b.text);
  }
  friend bool operator==(const KeptPlace& a, const KeptPlace& b) { return (a <=> b) == 0; }
};

/// An earlier survey, as --json printed it.
struct Earlier {
  std::string path;          ///< of the file
  std::string rules_sha256;  ///< of the rules it was counted by
  std::vector<KeptPlace> places;
  Choice choice;  ///< by which it was made
};

struct RuleChange {
  std::string rule;
  std::size_t before = 0, now = 0, appeared = 0, gone = 0;
};

struct Difference {
  std::string path;
  bool rules_differ = false;  ///< part of it may come from the rules, not the code
  std::size_t before = 0, now = 0;
  std::vector<KeptPlace> appeared, gone;  ///< by rule, file, text
  std::vector<RuleChange> rules;          ///< those with a change, by id
};

Result<Earlier> read_earlier(const std::string& path);

/// Places of rules that were not chosen, or that the set does not have, are dropped.
void keep_only(Earlier& earlier, const RuleSet& set, const Choice& choice);

/// The places of a survey in the form that is compared, sorted.
std::vector<KeptPlace> kept_places(const Survey& survey, const RuleSet& set);

/// A line that occurs three times and then twice has gone once. A file that was renamed has gone, and another appeared.
Difference difference(const Earlier& earlier, const std::vector<KeptPlace>& now, const RuleSet& set);

}  // namespace scoville::portability
