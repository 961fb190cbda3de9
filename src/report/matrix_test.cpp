#include "report/matrix.hpp"

#include <doctest/doctest.h>

#include "matrix/read.hpp"
#include "report/golden_file.hpp"
#include "report/matrix_words.hpp"
#include "report/scenario.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using text::Language;

std::string example(const std::string& name) {
  return std::string(SCOVILLE_CASES_DIR "/../../../examples/matrix/") + name;
}

matrix::Study read(const std::string& name) {
  const auto root = config::Node::load(example(name));
  REQUIRE(root.ok());
  auto study = matrix::read_study(*root, "");
  REQUIRE_MESSAGE(study.ok(), study.error().message);
  return *study;
}

std::string all_of(const std::string& name, Language language, bool detail) {
  const Speaking speaking(language);
  const matrix::Study study = read(name);
  std::string out = matrix_table(matrix::decide(study.inputs), detail);
  std::vector<matrix::Arm> arms;
  for (const matrix::ArmValues& each : study.arms) arms.push_back(*matrix::make_arm(*study.scenario, each).arm);
  if (!arms.empty())
    out += "\n" + ranking_table({*matrix::rank(arms, study.scenario->weights()), *study.scenario, study.ahp}, detail);
  return study.mix ? out + "\n" + mix_lines(*study.mix) : out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t widest(const std::string& text) {
  std::size_t out = 0, at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out = std::max(out, text::display_width(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("golden: a decision in English and in Chinese, short and in detail") {
  check_golden("matrix.en.txt", all_of("hold.yaml", Language::english, false));
  check_golden("matrix.zh.txt", all_of("hold.yaml", Language::chinese, false));
  check_golden("matrix_detail.en.txt", all_of("not-robust.yaml", Language::english, true));
}

TEST_CASE("no line of a decision is wider than a hundred columns") {
  for (const Language language : {Language::english, Language::chinese}) {
    for (const char* name : {"hold.yaml", "not-robust.yaml", "reject.yaml"}) {
      for (const bool detail : {false, true}) {
        CAPTURE(name);
        CHECK(widest(all_of(name, language, detail)) <= kDecisionWidth);
      }
    }
  }
}

TEST_CASE("no line of a scenario is wider either, and no source is cut") {
  for (const Language language : {Language::english, Language::chinese}) {
    const Speaking speaking(language);
    for (const matrix::Scenario& each : matrix::built_in_scenarios()) {
      CAPTURE(each.name);
      CHECK(widest(scenario_table(each)) <= kDecisionWidth);
      for (const matrix::SloDefault& slo : each.slos) CHECK(has(scenario_table(each), slo.source));
    }
  }
}

TEST_CASE("golden: the table of a page") {
  const Speaking speaking(Language::english);
  check_golden("matrix.en.md", matrix_markdown(matrix::decide(read("hold.yaml").inputs)));
}

TEST_CASE("a cell of the Markdown table ends neither its column nor its line") {
  const Speaking speaking(Language::english);
  matrix::Inputs inputs = read("reject.yaml").inputs;
  inputs.knock_outs[0].source = "a|b\nc";
  CHECK(has(matrix_markdown(matrix::decide(inputs)), "a\\|b c"));
}

TEST_CASE("the JSON has the verdict, why, and what would turn it") {
  const json::object object = matrix_json(matrix::decide(read("hold.yaml").inputs));
  CHECK(object.at("overall") == "hold");
  CHECK(object.at("blocking").as_array() == json::array{"correctness", "chat at 5 %"});
  const json::object& change = object.at("would_change").as_array()[0].as_object();
  CHECK(change.at("reason") == "straddles");
  CHECK(change.at("needed") == 4040);
  CHECK(object.at("rows").as_array().size() == 10);
  CHECK(object.at("rows").as_array()[5].as_object().at("required") == false);
}

TEST_CASE("each thing that is in the way is a sentence that says what would turn it") {
  const Speaking speaking(Language::english);
  std::string out;
  for (const auto& each : matrix::decide(read("reject.yaml").inputs).would_change) out += change_sentence(each) + "\n";
  CHECK(has(out, "delivery, weeks: ≤ 16 would pass; stated is 40 [30, 52]"));
  CHECK(has(out, "warranty, years: a value, with its source and date"));
  CHECK(has(out, "name a pilot scenario"));
}

TEST_CASE("numbers are told with their unit, and bounds as bounds") {
  CHECK(with_unit(0.5, "1") == "0.5");
  CHECK(with_unit(1500, "ms") == "1500 ms");
  matrix::Estimate bound;
  bound.low = 1923;
  bound.unit = "h";
  CHECK(estimate_cell(bound) == "≥ 1923 h");
  CHECK(estimate_cell({}) == "–");
}

}  // namespace scoville::report
