#include "report/numerics.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "numerics/made_product.hpp"
#include "numerics/made_side.hpp"
#include "report/accuracy_evidence.hpp"
#include "report/golden_file.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using namespace numerics;

/// Two layers, of which the second may be in bf16 and with an operator on the CPU.
MadeSide made(bool is_guilty) {
  MadeSide made;
  Manifest& m = made.manifest;
  m.probe = "scoville-torch";
  m.stack = {{"torch", "1.13.0"}};
  m.device = is_guilty ? "privateuseone" : "cpu";
  m.dtype = "fp32";
  m.model = "tiny";
  m.weights = "seeded";
  m.weights_sha256 = "ab";
  m.watched_host_runs = true;
  m.sequences = {{"seed1", 24, ""}};
  m.parts = {{"layer.0", ""}, {"layer.1", "layer.0"}, {"logits", "layer.1"}};
  for (const Part& part : m.parts) {
    const bool is_off = is_guilty && part.name != "layer.0";
    std::vector<double> right = made_product(exact), off = is_off ? made_product(as_bf16) : right;
    for (auto* const values : {&right, &off}) {
      for (double& each : *values) each /= 16;
    }
    made.put("seed1/" + part.name, off, {24, 24});
    made.put("isolated/seed1/" + part.name, part.name == "layer.1" ? off : right, {24, 24});
    made.put("int8/seed1/" + part.name, off, {24, 24});
  }
  made.put_ids("seed1/greedy", is_guilty ? std::vector<std::int64_t>{1, 2, 9} : std::vector<std::int64_t>{1, 2, 3});
  m.again = {{"layer.0", true, std::nullopt}};
  m.batched = {{"layer.0", false, 3e-7}};
  if (is_guilty) {
    m.host_runs = {{"layer.1", "aten::silu", 2}};
    m.variants = {{"int8", ""}, {"fp8", "this torch has no fp8"}};
  }
  return made;
}

TEST_CASE("golden: the table of layers, in both languages, within 100 columns") {
  const Judgement judgement = judge(made(false).side(), made(true).side(), {});
  for (const auto& [language, name] :
       {std::pair{text::Language::english, "numerics.en.txt"}, {text::Language::chinese, "numerics.zh.txt"}}) {
    const Speaking speaking(language);
    const std::string table = numerics_table(judgement);
    check_golden(name, table);
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) CHECK(text::display_width(line) <= 100);
  }
}

TEST_CASE("JSON names the guilty part, its look and the host runs; what is not known is null") {
  const json::object body = numerics_json(judge(made(false).side(), made(true).side(), {}));
  CHECK(body.at("schema") == "scoville.numerics/1");
  CHECK(body.at("first_over") == "layer.1");
  CHECK(body.at("verdict").at("outcome") == "differs");
  CHECK(body.at("parts").at(1).at("looks_like") == "bf16");
  CHECK(body.at("parts").at(1).at("host_runs").at(0).at("op") == "aten::silu");
  CHECK(body.at("logits").at("perplexity_change").is_null());
  CHECK(body.at("variants").at(1).at("fault") == "this torch has no fp8");
}

TEST_CASE("a baseline by itself: what was kept and what is to be said of it") {
  const MadeSide one = made(true);
  const json::object body = saved_json(one.side(), "/data/base");
  CHECK(body.at("reference").is_null());
  CHECK(body.at("doubts").as_array().size() == 1);
  CHECK(saved_table(one.side(), "/data/base").find("/data/base") != std::string::npos);
}

TEST_CASE("evidence of other tools names its file; a tensor that is over stands in the table") {
  evidence::AccuracyEvidence found;
  found.layers.push_back({evidence::ProbedBy::tensors, {{"compare_result.csv", "ab"}}, {}});
  found.layers[0].tensors.resize(60);
  for (std::size_t i = 0; i < 60; ++i)
    found.layers[0].tensors[i].name = "Functional.silu." + std::to_string(i) + ".forward.output.0";
  found.layers[0].tensors[50].is_over = true;
  found.tasks.push_back({"lm-eval", {"results.json", "cd"}, {{"arc_easy", "acc,none", "m", "1", 0.656, 0.01, 100}}});
  const std::string table = accuracy_evidence_table(found);
  CHECK(table.find("compare_result.csv") != std::string::npos);
  CHECK(table.find("Functional.silu.50.forward.output.0") != std::string::npos);
  CHECK(table.find("Functional.silu.49.forward.output.0") == std::string::npos);
  CHECK(table.find("0.656") != std::string::npos);
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) CHECK(text::display_width(line) <= 100);
  CHECK(accuracy_evidence_json(found).at("layers").at(0).at("first_over") == "Functional.silu.50.forward.output.0");
}

}  // namespace
}  // namespace scoville::report
