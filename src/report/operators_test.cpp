#include "report/operators.hpp"

#include <doctest/doctest.h>

#include "text/catalogue.hpp"
#include "text/width.hpp"

using namespace scoville;
using namespace scoville::operators;

namespace {

CaseResult ran(const std::string& dtype) {
  CaseResult result;
  result.what = {0, dtype, "contiguous", "forward"};
  result.ending = Ending::ran;
  return result;
}

report::OperatorsView view() {
  Operator op;
  op.name = "aten::softmax";
  CaseResult fallen = ran("fp32");
  fallen.by_trace = fallen.by_strict = true;
  fallen.host_calls = {{"aten::_to_cpu", "aten::softmax", 8192, 1}};
  CaseResult wrong = ran("bf16");
  wrong.is_wrong = true;
  wrong.rel_l2 = 0.1;
  wrong.tolerance = 0.01;
  report::OperatorsView view;
  view.support.device = "npu";
  view.support.findings.push_back(find(op, {fallen, wrong}));
  op.name = "aten::mm";
  view.support.findings.push_back(find(op, {ran("fp32")}));
  return view;
}

}  // namespace

TEST_CASE("evidence names the case, the call and the signs") {
  const std::vector<std::string> evidence = report::operator_evidence(view().support.findings.front());
  REQUIRE(evidence.size() == 2);
  CHECK(evidence[0] ==
        "wrong numbers in 1 of 2 cases, such as bf16 contiguous forward: relative L2 1.0e-01, 0.01 is due");
  CHECK(evidence[1] ==
        "computed on the CPU in 1 of 2 cases: aten::_to_cpu inside aten::softmax; refused when falling back is not "
        "allowed");
  CHECK(report::operator_evidence(view().support.findings.back()).empty());
}

TEST_CASE("JSON is English whatever is spoken, one row an operator") {
  text::set_language(text::Language::chinese);
  const json::object object = report::operators_json(view());
  text::set_language(text::Language::english);
  const json::object& row = object.at("operators").at(0).as_object();
  CHECK(row.at("name") == "aten::softmax");
  CHECK(row.at("verdict") == "partial");
  CHECK(compact(row.at("shortfalls")) == R"(["numerics","fallback"])");
  CHECK(row.at("evidence").at(1).as_string().starts_with("computed on the CPU"));
  CHECK(object.at("summary").at("supported") == 1);
}

TEST_CASE("the table folds what is supported and stays within 100 columns, in both languages") {
  for (const text::Language language : {text::Language::english, text::Language::chinese}) {
    text::set_language(language);
    const std::string table = report::operators_table(view());
    text::set_language(text::Language::english);
    CHECK(table.find("aten::softmax") != std::string::npos);
    CHECK(table.find("aten::mm") == std::string::npos);
    for (std::size_t from = 0, end; (end = table.find('\n', from)) != std::string::npos; from = end + 1) {
      CHECK(text::display_width(table.substr(from, end - from)) <= 100);
    }
  }
}
