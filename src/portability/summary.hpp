#pragma once

#include <array>
#include <map>

#include "portability/survey.hpp"

namespace scoville::portability {

inline constexpr std::size_t kEfforts = 4;

/// Places of one rule.
struct RuleCount {
  std::size_t rule = 0;  ///< in RuleSet::rules
  std::size_t places = 0, files = 0;
};

struct FamilyCount {
  std::size_t family = 0;  ///< in RuleSet::families
  std::size_t places = 0, files = 0;
  std::size_t hard = 0;          ///< places whose effort is a port or more
  std::vector<RuleCount> rules;  ///< most places first
};

struct FileCount {
  std::size_t file = 0;  ///< in Survey::files
  std::size_t places = 0;
  std::array<std::size_t, kEfforts> by_effort{};
};

struct VendorCount {
  std::string vendor;
  std::size_t places = 0;
  std::array<std::size_t, kEfforts> by_effort{};
};

/// A survey, counted.
struct Summary {
  std::size_t files = 0, lines = 0, places = 0, files_with_places = 0, mentions = 0, unread_lines = 0;
  std::map<std::string, std::size_t> files_by_kind;
  std::array<std::size_t, kEfforts> by_effort{};
  std::vector<VendorCount> vendors;   ///< most places first
  std::vector<FamilyCount> families;  ///< those found: most to port or rewrite, then most places
  std::vector<FileCount> top;         ///< every file with places: most to port or rewrite, then most places
  std::map<std::string, std::size_t> by_work_item;  ///< places, by part of a migration

  /// Places whose effort is a port or more: what a gate counts.
  std::size_t hard() const { return by_effort[2] + by_effort[3]; }
};

Summary summarise(const Survey& survey, const RuleSet& set);

/// Findings and mentions of rules that were not chosen are dropped.
void keep_only(Survey& survey, const RuleSet& set, const Choice& choice);

}  // namespace scoville::portability
