#include "portability/summary.hpp"

#include <doctest/doctest.h>

#include "portability/difference.hpp"

namespace scoville::portability {
namespace {

SurveyedFile file(const std::string& name, Language language, const std::string& text) {
  static const Matcher matcher(built_in_rules());
  return {{name, name}, std::string(name_of(language)), scan(matcher, language, name, text)};
}

Survey two_files() {
  Survey out;
  out.paths = {"src"};
  out.files.push_back(file("a.py", Language::python, "x.cuda()\nx.cuda()\n# x.cuda()\n"));
  out.files.push_back(file("b.cu", Language::cuda, "__global__ void f();\n"));
  return out;
}

}  // namespace

TEST_CASE("places are counted by rule, family, effort, vendor and part of a migration") {
  const Summary sum = summarise(two_files(), built_in_rules());
  CHECK(sum.files == 2);
  CHECK(sum.lines == 4);
  CHECK(sum.places == 4);  // two calls; a kernel, and the file that it is in
  CHECK(sum.mentions == 1);
  CHECK(sum.by_effort == std::array<std::size_t, kEfforts>{2, 0, 2, 0});
  CHECK(sum.hard() == 2);
  REQUIRE(sum.vendors.size() == 1);
  CHECK(sum.vendors[0].places == 4);
  REQUIRE(sum.families.size() == 2);
  CHECK(built_in_rules().families[sum.families[0].family].id == "kernels");  // what is hard goes first
  CHECK(sum.families[0].hard == 2);
  CHECK(sum.families[1].rules[0].places == 2);
  CHECK(sum.families[1].files == 1);
  CHECK(sum.by_work_item == std::map<std::string, std::size_t>{{"framework", 2}, {"operators", 2}});
  REQUIRE(sum.top.size() == 2);
  CHECK(sum.top[0].file == 1);  // what is hard goes before what is much
}

TEST_CASE("only one vendor, only some rules") {
  Survey survey = two_files();
  keep_only(survey, built_in_rules(), {"", {"cuda-method"}});
  CHECK(summarise(survey, built_in_rules()).places == 2);
  CHECK(summarise(survey, built_in_rules()).mentions == 1);
  keep_only(survey, built_in_rules(), {"huawei", {}});
  CHECK(summarise(survey, built_in_rules()).places == 0);
  CHECK(summarise(survey, built_in_rules()).mentions == 0);
}

TEST_CASE("moved lines are no change; one of two like lines that went is one gone") {
  const RuleSet& set = built_in_rules();
  const Survey before = two_files();
  Survey after;
  after.files.push_back(file("a.py", Language::python, "\n\nx.cuda()\n"));
  after.files.push_back(file("b.cu", Language::cuda, "\n__global__ void f();\ny = cub::X();\n"));
  Earlier earlier{"old.json", set.sha256, kept_places(before, set), {}};
  const Difference changed = difference(earlier, kept_places(after, set), set);
  CHECK_FALSE(changed.rules_differ);
  REQUIRE(changed.gone.size() == 1);
  CHECK(changed.gone[0].text == "x.cuda()");
  REQUIRE(changed.appeared.size() == 1);
  CHECK(changed.appeared[0].rule == "cub-thrust");
  CHECK((changed.before == 4 && changed.now == 4));
  REQUIRE(changed.rules.size() == 2);
  CHECK((changed.rules[1].before == 2 && changed.rules[1].now == 1 && changed.rules[1].gone == 1));
  CHECK(difference(earlier, earlier.places, set).rules.empty());
  keep_only(earlier, set, {"", {"cuda-method"}});
  CHECK(earlier.places.size() == 2);
}

}  // namespace scoville::portability
