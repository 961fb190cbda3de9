#include "portability/rules.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "portability/scan.hpp"
#include "text/width.hpp"

namespace scoville::portability {
namespace {

std::string file_of(const Rule& rule) { return rule.example_file.empty() ? "example" : rule.example_file; }

bool finds(const Matcher& matcher, const Rule& rule, const std::string& text, const std::string& file) {
  const Scan scanned = scan(matcher, rule.example_language, file, text + "\n");
  return std::any_of(scanned.findings.begin(), scanned.findings.end(),
                     [&](const Finding& each) { return matcher.set().rules[each.rule].id == rule.id; });
}

std::string one_rule(const std::string& more) {
  return "families: [{id: f, title: {en: f, zh: f}, work_item: operators}]\nrules:\n"
         "  - {id: mine, family: f, vendor: acme, effort: port, languages: [python], words: [acme_op],\n"
         "     form: {en: op, zh: op}, example: acme_op(), counter_example: op()" +
         more + "}\n";
}

}  // namespace

TEST_CASE("every built-in rule finds its example among all rules, and not its counter-example") {
  const RuleSet& set = built_in_rules();
  const Matcher matcher(set);
  CHECK(set.rules.size() >= 60);
  for (const Rule& rule : set.rules) {
    CAPTURE(rule.id);
    CHECK(finds(matcher, rule, rule.example, file_of(rule)));
    CHECK_FALSE(finds(matcher, rule, rule.counter_example, "other"));
  }
}

TEST_CASE("a portable form fits a line of the table, in both languages, and every family is in use") {
  const RuleSet& set = built_in_rules();
  std::vector<bool> is_used(set.families.size());
  for (const Rule& rule : set.rules) {
    CAPTURE(rule.id);
    is_used[rule.family] = true;
    CHECK(rule.id.size() <= 24);
    CHECK(text::display_width(rule.form.english) <= 48);
    CHECK(text::display_width(rule.form.chinese) <= 48);
    CHECK(rule.note.english.empty() == rule.note.chinese.empty());
  }
  CHECK(std::all_of(is_used.begin(), is_used.end(), [](bool used) { return used; }));
}

TEST_CASE("a user's rules go first and replace those of the same id") {
  const Result<RuleSet> base = read_rules(one_rule(""), "base.yaml");
  REQUIRE(base.ok());
  const std::string yaml =
      "rules:\n  - {id: mine, family: f, vendor: other, effort: small, languages: [python], words: [zz],\n"
      "     form: {en: a, zh: b}, example: zz, counter_example: y}\n";
  const Result<RuleSet> more = read_more_rules(*base, yaml, "own.yaml");
  REQUIRE(more.ok());
  REQUIRE(more->rules.size() == 1);
  CHECK(more->rules[0].vendor == "other");
  CHECK(more->sha256 != base->sha256);
}

TEST_CASE("a fault in a file of rules says line, field and what was expected") {
  const auto message = [](const std::string& more) {
    const Result<RuleSet> read = read_rules(one_rule(more), "own.yaml");
    return read.ok() ? std::string() : read.error().message;
  };
  CHECK(message("").empty());
  CHECK(message(", pattern: '('").find("rules[0].pattern") != std::string::npos);
  CHECK(message(", where: comments").find("rules[0].where") != std::string::npos);
  CHECK(message(", notes: x").find("rules[0].notes") != std::string::npos);
  CHECK(read_rules("rules: []\nfamilies: 3\n", "own.yaml").ok() == false);
}

}  // namespace scoville::portability
