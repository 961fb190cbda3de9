#include "operators/table.hpp"

#include <doctest/doctest.h>

#include <set>

#include "operators/question.hpp"

using namespace scoville;
using namespace scoville::operators;

namespace {

Result<Table> small(const std::string& operators) {
  return parse_table("version: 1\nsizes: {m: [64, 61], n: [48, 53]}\noperators:\n" + operators, "own.yaml");
}

}  // namespace

TEST_CASE("the built-in table has the operators of models, each under one title") {
  const Table& table = built_in_table();
  CHECK(table.operators.size() >= 60);
  const std::vector<std::string> names = table.names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  for (const Operator& each : table.operators) {
    CAPTURE(each.title());
    CHECK_FALSE(each.uses.empty());
    CHECK_FALSE(cases_of(each).empty());
  }
}

TEST_CASE("an operator is found by its title, its name, or the word alone") {
  const Table& table = built_in_table();
  CHECK(table.named("softmax").size() == 1);
  CHECK(table.named("aten::softmax.int").front()->full_name() == "aten::softmax.int");
  CHECK(table.named("copy_").size() == 2);  // host to device, device to host
  CHECK(table.named("aten::copy_ (host to device)").size() == 1);
  CHECK(table.named("softmax.nonsense").empty());
}

TEST_CASE("cases are dtypes by shape classes by directions; no empty one where nothing may be empty") {
  const Result<Table> table = small(
      "  - {name: aten::a, inputs: [{tensor: [m, n], gradient: true}], empty: [m], dtypes: [fp32, bf16]}\n"
      "  - {name: aten::b, inputs: [{tensor: [m]}], dtypes: [fp32]}\n");
  REQUIRE(table.ok());
  CHECK(cases_of(table->operators[0]).size() == 2 * 4 * 2);
  CHECK(cases_of(table->operators[0], {{"bf16"}}).size() == 4 * 2);
  CHECK(cases_of(table->operators[1]).size() == 3);
}

TEST_CASE("a question holds plain numbers: odd sizes, sizes that are 0, bounds") {
  const Result<Table> table = small(
      "  - {name: aten::a, overload: x, inputs: [{tensor: [m, n], gradient: true}, {tensor: [4], dtype: int64, values: "
      "index, "
      "below: n}, {int: n}, {named: dim, int: -1}], empty: [m], dtypes: [bf16]}\n");
  REQUIRE(table.ok());
  const Operator& op = table->operators.front();
  const std::vector<Case> cases = cases_of(op);
  const json::object question = question_about(*table, op, {cases[7], cases[4]}, 3);
  CHECK(question.at("operator").as_string() == "aten::a.x");
  const json::array& asked = question.at("cases").as_array();
  CHECK(compact(asked[0].at("arguments")) ==
        R"([{"tensor":[61,53],"dtype":"bf16","values":"normal","gradient":true},)"
        R"({"tensor":[4],"dtype":"int64","values":"index","below":53},{"int":53},{"int":-1,"named":"dim"}])");
  CHECK(compact(asked[1].at("arguments").at(0)) == R"({"tensor":[0,48],"dtype":"bf16","values":"normal"})");
}

TEST_CASE("faults of a table name line and field") {
  const Result<Table> unknown = small("  - {name: aten::a, inputs: [{tensor: [m, q]}]}\n");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message.find("own.yaml:4") != std::string::npos);
  CHECK(unknown.error().message.find("q") != std::string::npos);
  CHECK_FALSE(small("  - {name: aten::a, inputs: [{nothing: 1}]}\n").ok());
  CHECK_FALSE(small("  - {name: aten::a, inputs: [{tensor: [m], values: index}]}\n").ok());  // no bound
  CHECK_FALSE(small("  - {name: aten::a, inputs: [{tensor: [m]}], dtypes: [fp31]}\n").ok());
}
