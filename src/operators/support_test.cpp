#include "operators/support.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace scoville::operators;

namespace {

CaseResult one(const std::string& dtype, bool is_good) {
  CaseResult result;
  result.what = {0, dtype, "contiguous", "forward"};
  result.ending = is_good ? Ending::ran : Ending::refused;
  return result;
}

Finding made(const std::string& name, Verdict verdict, std::vector<CaseResult> cases) {
  Finding finding;
  finding.name = name;
  finding.verdict = verdict;
  finding.cases = std::move(cases);
  return finding;
}

Support with(std::vector<Finding> findings) {
  Support support;
  support.device = "npu";
  support.stack = {{"torch", "2.8.0"}};
  support.findings = std::move(findings);
  return support;
}

}  // namespace

TEST_CASE("what is written is read back; the same table shows no change") {
  Support support = with({made("aten::mm", Verdict::partial, {one("fp32", true), one("fp16", false)})});
  support.findings.front().shortfalls = {Shortfall::dtypes};
  const Result<Support> read = support_from(pretty(support_json(support)), "x.json");
  REQUIRE(read.ok());
  CHECK(read->findings.front().shortfalls == std::set{Shortfall::dtypes});
  CHECK(read->stack.at("torch") == "2.8.0");
  CHECK(compare(*read, support).empty());
}

TEST_CASE("fixed, broken, changed, new, gone") {
  const Support before =
      with({made("a", Verdict::partial, {one("fp32", true), one("fp16", false)}),
            made("b", Verdict::supported, {one("fp32", true)}),
            made("c", Verdict::partial, {one("fp32", true), one("fp16", false)}), made("d", Verdict::absent, {}),
            made("e", Verdict::supported, {one("fp32", true)}), made("f", Verdict::supported, {one("fp32", true)})});
  const Support after = with({made("a", Verdict::supported, {one("fp32", true), one("fp16", true)}),
                              made("b", Verdict::unsupported, {one("fp32", false)}),
                              made("c", Verdict::partial, {one("fp32", false), one("fp16", true)}),
                              made("d", Verdict::supported, {one("fp32", true)}), made("e", Verdict::absent, {}),
                              made("f", Verdict::supported, {one("fp32", true)})});
  const std::vector<Change> changes = compare(before, after);
  REQUIRE(changes.size() == 5);
  CHECK(changes[0].turn == Turn::fixed);
  CHECK(changes[0].gained.front().name() == "fp16 contiguous forward");
  CHECK(changes[1].turn == Turn::broken);
  CHECK(changes[2].turn == Turn::changed);
  CHECK(changes[3].turn == Turn::appeared);
  CHECK(changes[4].turn == Turn::gone);
}

TEST_CASE("cases that one of the tables was not asked about change nothing") {
  const Support all = with({made("a", Verdict::partial, {one("fp32", true), one("fp16", false)})});
  const Support some = with({made("a", Verdict::supported, {one("fp32", true)})});
  CHECK(compare(all, some).empty());
  CHECK(compare(some, all).empty());
}

TEST_CASE("a file that is no table is refused with its name") {
  for (const char* text : {"", "[]", "{}", R"({"format": "scoville-operators", "operators": [{"name": "a"}]})"}) {
    const Result<Support> read = support_from(text, "x.json");
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().message.find("x.json") == 0);
  }
}

TEST_CASE("the migration list: by time share, then what no trace has, worse verdicts first") {
  const std::vector<Finding> findings{made("aten::mm", Verdict::supported, {}),
                                      made("aten::softmax.int", Verdict::partial, {}),
                                      made("aten::silu", Verdict::partial, {}), made("aten::sort", Verdict::crash, {}),
                                      made("aten::gelu", Verdict::unsupported, {})};
  const std::vector<Step> steps =
      migration_order(findings, {{"aten::softmax", 0.2}, {"aten::gelu", 0.3}, {"aten::mm", 0.5}});
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].finding->name == "aten::gelu");
  CHECK(steps[1].finding->name == "aten::softmax.int");
  CHECK(steps[2].finding->name == "aten::sort");
  CHECK_FALSE(steps[2].time_share);
  CHECK(steps[3].finding->name == "aten::silu");
}
