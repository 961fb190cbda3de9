#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "portability/language.hpp"
#include "text/catalogue.hpp"

namespace scoville::portability {

/// Where in a source a rule looks.
enum Where : std::uint8_t {
  kInCode = 1,
  kInStrings = 2,
  kInImports = 4,       ///< lines that begin with import or from, or #include
  kInDependencies = 8,  ///< lists of packages, pyproject.toml, setup.py's strings, lines that install
  kInName = 16,         ///< the name of the file itself
};

/// What it takes to carry a place over. Classes, not days: how long one takes is for whoever knows the code.
enum class Effort : std::uint8_t {
  mechanical,  ///< another word in its place; can be searched and replaced
  small,       ///< a few lines that somebody has to think about and test
  port,        ///< translated by a tool or onto another library, then tested and tuned
  rewrite,     ///< written anew for the other device
};
const std::vector<std::string>& effort_names();
std::string_view name_of(Effort effort);

/// Rules of one kind.
struct Family {
  std::string id;
  text::Phrase title;
  std::string work_item;  ///< of data/migration_defaults.yaml: the part of a migration that it informs
};

/// One thing that ties code to a vendor.
struct Rule {
  std::string id;
  std::size_t family = 0;  ///< in RuleSet::families
  std::string vendor;      ///< "nvidia", "huawei"…; "none": to no one vendor, yet not to be taken for granted
  Effort effort = Effort::small;
  std::vector<Language> languages;  ///< empty: all
  std::uint8_t where = kInCode;     ///< Where, added up
  std::vector<std::string> words;   ///< a place holds one of these
  std::string pattern;              ///< Perl's syntax, within one line, around the word; empty: the word as a whole
  text::Phrase form;                ///< the portable form
  text::Phrase note;                ///< may be empty
  Language example_language = Language::python;
  std::string example_file;  ///< what the example's file is called
  std::string example, counter_example;

  bool reads(Language language) const;
};

struct RuleSet {
  std::vector<Family> families;
  std::vector<Rule> rules;  ///< where two find the same place, the first one counts it
  std::string sha256;       ///< of the YAML: counts by different rules are not compared unsaid

  const Rule* find(std::string_view id) const;
};

/// What is looked at: what ties to one vendor, what some rules find. Empty: all.
struct Choice {
  std::string vendor;
  std::vector<std::string> rules;  ///< ids

  bool takes(const Rule& rule) const;
  bool is_all() const { return vendor.empty() && rules.empty(); }
};

/// docs/formats/portability.md. Every fault with its line.
Result<RuleSet> read_rules(const std::string& yaml, const std::string& where);
/// The same, of a user: its families and rules go before those of `base`; a rule with the id of one there replaces it.
Result<RuleSet> read_more_rules(const RuleSet& base, const std::string& yaml, const std::string& where);

/// data/portability_rules.yaml.
const RuleSet& built_in_rules();

}  // namespace scoville::portability
