#include "report/external.hpp"

#include <doctest/doctest.h>

#include "evidence/reader.hpp"
#include "report/made_bench.hpp"
#include "report/vllm_json.hpp"

namespace scoville::report {
namespace {

using doctest::Approx;
using evidence::Metric;

VllmExport detailed() {
  VllmExport about;
  about.backend = "vllm";
  about.model = "org/tiny";
  about.metrics = {"ttft", "tpot", "itl", "e2el"};
  about.percentiles = {50, 99};
  about.is_detailed = true;
  return about;
}

evidence::ExternalResult read_back(const json::object& object) {
  const evidence::FileText file{"result.json", compact(object)};
  return evidence::read_results({&file, 1}).value().front();
}

double value(const evidence::ExternalResult& result, Metric metric, const char* statistic, bool recomputed = false) {
  const evidence::Figure* const found = find(result, metric, statistic, recomputed);
  REQUIRE(found);
  REQUIRE((found->recomputed > 0) == recomputed);
  return found->value.value();
}

/// Without what failed: ours counts a time-out as longer than the rest, theirs leaves it out.
MadeBench without_failures(MadeBench made) {
  std::erase_if(made.run.records, [](const event::RequestRecord& each) { return each.failed_at.has_value(); });
  return made;
}

struct Exported {
  MadeBench made;
  analyse::Analysis analysis = made.analysis();
  evidence::ExternalResult result = read_back(vllm_json(made.run, made.plan, detailed()).value());

  explicit Exported(MadeBench of = made_bench()) : made(std::move(of)) {}
};

StoredEvidence stored(evidence::ExternalResult result, const std::string& tag = "") {
  StoredEvidence out;
  out.id = "20261130T101500Z-00000001";
  out.tag = tag;
  out.imported = std::chrono::seconds(1735787045);  // 2025-01-02 03:04:05 UTC
  out.result = std::move(result);
  return out;
}

/// In which any blanks and line feeds are one blank.
std::string flat(const std::string& text) {
  std::string out;
  for (const char each : text) {
    const bool is_blank = each == ' ' || each == '\n';
    if (!is_blank || (!out.empty() && out.back() != ' ')) out += is_blank ? ' ' : each;
  }
  return out;
}

RunOfSet as_run(const Exported& exported) {
  return {exported.analysis, exported.made.plan, exported.made.shape, exported.made.subject, false};
}

}  // namespace

TEST_CASE("our own run in vLLM's format, read back, says what our analysis says by vLLM's definitions") {
  const Exported exported;
  const analyse::VllmView& ours = exported.analysis.vllm;
  for (const auto& [metric, of] :
       {std::pair(Metric::ttft, &ours.ttft), {Metric::tpot, &ours.tpot}, {Metric::icl, &ours.itl}}) {
    CAPTURE(name_of(metric));
    CHECK(value(exported.result, metric, "mean") * 1e9 == Approx(*of->mean).epsilon(1e-4));
    CHECK(value(exported.result, metric, "p50") * 1e9 == Approx(*of->median).epsilon(1e-4));
    CHECK(value(exported.result, metric, "p99") * 1e9 == Approx(*of->p99).epsilon(1e-4));
  }
}

TEST_CASE("recomputed from its arrays, it has our own latencies from the write, to the last digit") {
  const Exported exported(without_failures(made_bench()));
  const analyse::Metric& ttft = exported.analysis.from_written[static_cast<std::size_t>(analyse::Latency::ttft)];
  for (const auto& [name, p] : {std::pair("p50", 0.5), {"p90", 0.9}, {"p95", 0.95}}) {
    CAPTURE(name);
    REQUIRE(ttft.at(p)->value);
    CHECK(value(exported.result, Metric::ttft, name, true) == Approx(to_seconds(*ttft.at(p)->value)).epsilon(1e-9));
  }
  const analyse::Metric& icl = exported.analysis.latency(analyse::Latency::icl);
  CHECK(value(exported.result, Metric::icl, "p50", true) == Approx(to_seconds(*icl.at(0.5)->value)).epsilon(1e-3));
}

TEST_CASE("failures are counted, and in no latency") {
  const Exported exported;
  const std::size_t failed = exported.analysis.attempted - exported.analysis.succeeded;
  REQUIRE(failed > 0);
  CHECK(exported.result.counts.failed == static_cast<std::int64_t>(failed));
  CHECK(find(exported.result, Metric::ttft, "p50", true)->recomputed == exported.analysis.attempted);
  CHECK(value(exported.result, Metric::ttft, "p50", true) > 0);
}

TEST_CASE("the table says that it is external, names both sides, and gives each definition with its direction") {
  const std::string table = flat(external_table(stored(Exported().result, "theirs")));
  for (const char* words : {"EXTERNAL EVIDENCE 20261130T101500Z-00000001: vLLM bench serve", "tag theirs",
                            "TTFT (recomputed)", "roughly [1]", "[1] TTFT: from before a connection is asked for",
                            "Against ours: lower where a role comes first", "linear between neighbours",
                            "Recomputed from 200 requests", "itl"})
    CHECK_MESSAGE(table.find(words) != std::string::npos, words);
}

TEST_CASE("side by side: ours, ours by vLLM's definitions, theirs; no word of a test") {
  const Exported exported;
  const RunOfSet run = as_run(exported);
  const OwnFigures ours = own_figures("before", {&run});
  const std::string table = flat(beside_table(ours, {stored(exported.result)}));
  for (const char* words : {"No test, no interval, no verdict", "ours: before, median over 1 runs", "ours, vLLM's way",
                            "TTFT P50", "vLLM bench serve (recomputed)"})
    CHECK_MESSAGE(table.find(words) != std::string::npos, words);

  const json::object body = beside_json(ours, {stored(exported.result)});
  CHECK(body.at("schema") == "scoville.beside/1");
  bool was_met = false;
  for (const json::value& row : body.at("rows").as_array()) {
    if (row.at("metric") != "ttft" || row.at("statistic") != "p50") continue;
    was_met = true;
    const double theirs = row.at("theirs").as_array()[0].at("value").as_double();
    CHECK(row.at("ours_as_vllm").as_double() == Approx(theirs).epsilon(1e-4));
    CHECK(row.at("ours").as_double() ==
          Approx(to_seconds(*exported.analysis.latency(analyse::Latency::ttft).at(0.5)->value)));
    CHECK(row.at("theirs").as_array()[1].at("recomputed") == true);
  }
  CHECK(was_met);
}

TEST_CASE("several runs are one column of medians; a figure that a run lacks has none") {
  Exported exported;
  RunOfSet one = as_run(exported), two = as_run(exported), three = as_run(exported);
  two.analysis.rates.requests_per_s.full = 1;
  one.analysis.rates.requests_per_s.full = 5;
  three.analysis.rates.requests_per_s.full = 2;
  three.analysis.mean_output_tokens.reset();
  const OwnFigures ours = own_figures("set", {&one, &two, &three});
  CHECK(ours.ours.at({Metric::requests_per_s, ""}) == 2);
  CHECK(ours.ours.count({Metric::mean_output_tokens, "mean"}) == 0);
  CHECK(ours.ours.count({Metric::mean_prompt_tokens, "mean"}) <= 1);
}

TEST_CASE("another load and another model are said") {
  Exported exported;
  const RunOfSet run = as_run(exported);
  OwnFigures ours = own_figures("before", {&run});
  ours.model = "org/Other";
  exported.result.load.requests_per_s = 999;
  const std::string table = flat(beside_table(ours, {stored(exported.result)}));
  CHECK(table.find("the loads differ: ") != std::string::npos);
  CHECK(table.find("the model's name differs: org/Other here, org/tiny there") != std::string::npos);
}

TEST_CASE("both tables are in Chinese where that is spoken") {
  const Exported exported;
  const RunOfSet run = as_run(exported);
  text::set_language(text::Language::chinese);
  const std::string table = external_table(stored(exported.result));
  const std::string beside = beside_table(own_figures("before", {&run}), {stored(exported.result)});
  text::set_language(text::Language::english);
  CHECK(table.find("外部证据") != std::string::npos);
  CHECK(table.find("comparable") == std::string::npos);
  CHECK(beside.find("无检验") != std::string::npos);
}

}  // namespace scoville::report
