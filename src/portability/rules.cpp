#include "portability/rules.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/sha256.hpp"
#include "config/node.hpp"
#include "portability/pattern.hpp"
#include "text/catalogue/portability.hpp"

namespace scoville::portability {

const char* embedded_rules();

namespace {

using config::Node;
using text::PortabilityMsg;
using text::say;

const std::vector<std::string> kPlaces{"code", "string", "import", "dependency", "name"};

std::vector<std::string> family_ids(const RuleSet& set) {
  std::vector<std::string> out;
  for (const Family& each : set.families) out.push_back(each.id);
  return out;
}

text::Phrase read_phrase(const Node& node, const std::string& key) {
  const Node both = node.map(key);
  return {both.text("en"), both.text("zh")};
}

/// The place of `word` in `names`; a fault, and 0, where it is none of them.
std::size_t one_of(const Node& node, const std::string& key, const std::string& word,
                   const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string list;
  for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
  node.fault(key, say(text::Msg::expected_choice, list));
  return 0;
}

void read_where(const Node& node, Rule& into) {
  into.where = 0;
  for (const std::string& each : node.maybe_texts("where"))
    into.where = static_cast<std::uint8_t>(into.where | 1U << one_of(node, "where", each, kPlaces));
  if (into.where == 0) into.where = kInCode;
}

void read_match(const Node& node, Rule& into) {
  into.words = node.maybe_texts("words");
  const auto too_short = [](const std::string& word) { return word.size() < 2; };
  if (into.words.empty() || std::any_of(into.words.begin(), into.words.end(), too_short))
    node.fault("words", say(PortabilityMsg::expected_words));
  into.pattern = node.text_or("pattern", "");
  if (into.pattern.empty()) return;
  if (const Result<Pattern> made = Pattern::make(into.pattern); !made) node.fault("pattern", made.error().message);
}

void read_examples(const Node& node, Rule& into) {
  into.example = node.text("example");
  into.counter_example = node.text("counter_example");
  into.example_language = into.languages.empty() ? Language::requirements : into.languages.front();
  if (const auto given = node.maybe_choice("example_language", language_names()))
    into.example_language = static_cast<Language>(*given);
  into.example_file = node.text_or("example_file", "");
}

Rule read_rule(const Node& node, const RuleSet& set) {
  Rule out;
  out.id = node.text("id");
  out.family = node.choice("family", family_ids(set));
  out.vendor = node.text("vendor");
  out.effort = static_cast<Effort>(node.choice("effort", effort_names()));
  for (const std::string& each : node.maybe_texts("languages"))
    out.languages.push_back(static_cast<Language>(one_of(node, "languages", each, language_names())));
  read_where(node, out);
  read_match(node, out);
  out.form = read_phrase(node, "form");
  if (const Node note = node.maybe_map("note"); note.exists()) out.note = {note.text("en"), note.text("zh")};
  read_examples(node, out);
  return out;
}

void read_families(const Node& root, RuleSet& into) {
  for (const Node& node : root.maybe_list("families")) {
    Family family{node.text("id"), read_phrase(node, "title"), node.text("work_item")};
    const auto is_same = [&](const Family& other) { return other.id == family.id; };
    if (std::any_of(into.families.begin(), into.families.end(), is_same))
      node.fault("id", say(PortabilityMsg::id_twice, family.id));
    into.families.push_back(std::move(family));
  }
}

void read_all_rules(const Node& root, RuleSet& into) {
  for (const Node& node : root.list("rules")) {
    Rule rule = read_rule(node, into);
    if (into.find(rule.id)) node.fault("id", say(PortabilityMsg::id_twice, rule.id));
    into.rules.push_back(std::move(rule));
  }
}

}  // namespace

const std::vector<std::string>& effort_names() {
  static const std::vector<std::string> names{"mechanical", "small", "port", "rewrite"};
  return names;
}

std::string_view name_of(Effort effort) { return effort_names()[static_cast<std::size_t>(effort)]; }

bool Rule::reads(Language language) const {
  return languages.empty() || std::find(languages.begin(), languages.end(), language) != languages.end();
}

bool Choice::takes(const Rule& rule) const {
  const bool is_named = rules.empty() || std::find(rules.begin(), rules.end(), rule.id) != rules.end();
  return is_named && (vendor.empty() || rule.vendor == vendor);
}

const Rule* RuleSet::find(std::string_view id) const {
  for (const Rule& each : rules)
    if (each.id == id) return &each;
  return nullptr;
}

Result<RuleSet> read_rules(const std::string& yaml, const std::string& where) {
  return read_more_rules(RuleSet{}, yaml, where);
}

Result<RuleSet> read_more_rules(const RuleSet& base, const std::string& yaml, const std::string& where) {
  const Result<Node> root = Node::parse(yaml, where);
  if (!root) return root.error();
  RuleSet out;
  out.families = base.families;
  read_families(*root, out);
  read_all_rules(*root, out);
  for (const Rule& each : base.rules)
    if (!out.find(each.id)) out.rules.push_back(each);
  out.sha256 = base.rules.empty() ? sha256(yaml) : sha256(base.sha256 + yaml);
  return root->finish(std::move(out));
}

const RuleSet& built_in_rules() {
  static const RuleSet rules = [] {
    Result<RuleSet> read = read_rules(embedded_rules(), "data/portability_rules.yaml");
    SCOVILLE_CHECK(read.ok(), read.ok() ? "" : read.error().message.c_str());
    return *std::move(read);
  }();
  return rules;
}

}  // namespace scoville::portability
