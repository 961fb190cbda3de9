#include "report/comparison.hpp"

#include <doctest/doctest.h>

#include "decide/made_arm.hpp"
#include "report/golden_file.hpp"

namespace scoville::report {
namespace {

using decide::Arm;
using decide::arm_of_tpots;
using text::Language;

const std::vector<double> kBase{10.0, 10.1, 9.9, 10.2, 9.8}, kSlower{10.6, 10.7, 10.5, 10.8, 10.4};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// An arm with rates beside its TPOTs, and a P99 that too few requests support.
Arm made(std::string name, const std::vector<double>& tpots) {
  Arm arm = arm_of_tpots(std::move(name), tpots);
  for (std::size_t i = 0; i < arm.runs.size(); ++i) {
    analyse::RunStatistics& all = arm.runs[i].statistics;
    all.latencies[2].p99 = {tpots[i] * 1.2e6, false};
    all.latencies[0].p50.value = 5e7 + 1e5 * static_cast<double>(i);
    all.output_tokens_per_s = 16'000 / tpots[i];
  }
  return arm;
}

CompareView view_of(std::vector<Arm> arms, const decide::GateOptions& gate = {}) {
  CompareView view;
  view.arms = std::move(arms);
  view.primary = {"tpot"};
  decide::CompareOptions options;
  options.family = view.family = view.arms.size() - 1;
  for (std::size_t i = 1; i < view.arms.size(); ++i)
    view.comparisons.push_back(
        decide::compare(view.arms[0], view.arms[i], decide::check(view.arms[0], view.arms[i], gate), options));
  if (view.arms.size() > 2) view.ranking = decide::rank(view.arms, view.comparisons[0].gate, options);
  return view;
}

CompareView slower_engine() {
  Arm after = made("after", kSlower);
  after.setup.system.add("engine.version", "0.10.0", "test");
  after.setup.system.miss("cpu.model", event::FieldStatus::absent, "test");
  CompareView view = view_of({made("before", kBase), std::move(after)});
  view.warnings.push_back(dataset::make_warning("no_noise_floor", text::Msg::compare_warn_no_floor));
  return view;
}

std::string table_in(Language language, const CompareView& view) {
  const Speaking speaking(language);
  return comparison_table(view);
}

}  // namespace

TEST_CASE("golden: a comparison in English") {
  check_golden("compare.en.txt", table_in(Language::english, slower_engine()));
}
TEST_CASE("golden: a comparison in Chinese") {
  check_golden("compare.zh.txt", table_in(Language::chinese, slower_engine()));
}
TEST_CASE("golden: a refused comparison and a ranking") {
  Arm other = made("other", kSlower);
  other.setup.load.max_concurrency = 32;
  other.runs[0].statistics.instrument = analyse::Verdict::bottleneck;
  check_golden("compare_refused.en.txt", table_in(Language::english, view_of({made("base", kBase), std::move(other)})));
  check_golden("compare_ranking.en.txt",
               table_in(Language::english, view_of({made("base", kBase), made("slow", kSlower), made("same", kBase)})));
}

TEST_CASE("the JSON of one comparison has its keys at the top, with units and reasons") {
  const json::object object = comparison_json(slower_engine());
  CHECK(object.at("schema") == "scoville.comparison/1");
  CHECK(object.at("design") == "unpaired");
  const json::object gate = object.at("gate").as_object();
  CHECK(gate.at("result") == "FLAG");
  CHECK(gate.at("unverified") == json::array{"host"});
  CHECK(gate.at("differs") == json::array{"engine"});
  const json::object tpot = object.at("metrics").at("tpot").as_object();
  CHECK(tpot.at("unit") == "ns");
  CHECK(tpot.at("primary") == true);
  CHECK(tpot.at("verdict") == "slower");
  CHECK(tpot.at("reason").is_null());
  CHECK(tpot.at("ratio").at("value").as_double() == doctest::Approx(10.0 / 10.6).epsilon(1e-3));
  CHECK(tpot.at("ratio").at("level").as_double() == doctest::Approx(0.968254).epsilon(1e-6));
  CHECK(tpot.at("base").at("value") == 10e6);
  CHECK(tpot.at("margin") == 0.02);
  CHECK(tpot.at("noise_floor").is_null());
  const json::object p99 = object.at("metrics").at("tpot_p99").as_object();
  CHECK(p99.at("verdict") == "inconclusive");
  CHECK(p99.at("reason") == "unsupported");
  CHECK(object.at("warnings").at(0).at("code") == "no_noise_floor");
}

TEST_CASE("a refused comparison has no metrics, and each refused field its values") {
  Arm other = made("other", kSlower);
  other.setup.load.max_concurrency = 32;
  const json::object object = comparison_json(view_of({made("base", kBase), std::move(other)}));
  CHECK(object.at("metrics").is_null());
  CHECK(object.at("gate").at("result") == "REFUSE");
  CHECK(object.at("gate").at("refused") == json::array{"load.concurrency"});
  for (const json::value& each : object.at("gate").at("fields").as_array()) {
    if (each.at("field") != "load.concurrency") continue;
    CHECK(each.at("base") == "16");
    CHECK(each.at("candidate") == "32");
  }
}

TEST_CASE("several candidates are a list and a ranking") {
  const json::object object =
      comparison_json(view_of({made("base", kBase), made("slow", kSlower), made("same", kBase)}));
  CHECK(object.at("comparisons").as_array().size() == 2);
  CHECK(object.at("family").at("size") == 2);
  const json::array arms = object.at("ranking").at("arms").as_array();
  CHECK(arms.at(2).at("name") == "slow");
  CHECK(arms.at(2).at("rank") == 3);
}

TEST_CASE("too few runs: the sentence says how many would do, and for how long") {
  const std::string table = table_in(Language::english, view_of({made("a", {10.0, 10.1}), made("b", {12.0, 12.1})}));
  CHECK(has(table, "too few runs"));
  CHECK(has(table, "4 runs of each would tell: 4 min 00 s more of measuring"));
}

TEST_CASE("a noise floor in words") {
  std::vector<double> runs;
  for (int i = 0; i < 20; ++i) runs.push_back(10 + 0.01 * (i % 3));
  const decide::NoiseFloor floor = decide::measure_noise(arm_of_tpots("a", runs));
  const Speaking speaking(Language::english);
  const std::string table = noise_table("a", floor, {});
  CHECK(has(table, "10 pairs of runs"));
  CHECK(has(table, "TPOT P50"));
  CHECK(has(noise_table("a", decide::measure_noise(arm_of_tpots("a", {1, 1})), {}), "that is 18 more runs"));
}

}  // namespace scoville::report
