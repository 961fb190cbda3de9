#include "report/validity_report.hpp"

#include <doctest/doctest.h>

#include "report/golden_file.hpp"
#include "report/made_bench.hpp"

namespace scoville::report {
namespace {

using text::Language;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The made run, its TTFT and E2E rising by 40 ms from first to last.
MadeBench rising() {
  MadeBench made = made_bench();
  for (std::size_t i = 0; i < made.run.records.size(); ++i) {
    event::RequestRecord& record = made.run.records[i];
    if (!record.succeeded()) continue;
    const Nanos later = analyse::ms(0.2 * static_cast<double>(i));
    for (Moment* at : {&record.first_token, &record.last_token, &record.end}) *at = **at + later;
    for (event::TokenEvent& each : record.tokens) each.at += later;
  }
  return made;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string table_of(const MadeBench& made) {
  return bench_table(made.analysis(), made.plan, made.shape, made.subject);
}

}  // namespace

TEST_CASE("a steady run says so in one line, a drifting one in one warning") {
  const Speaking speaking(Language::english);
  const std::string steady = table_of(made_bench()), drifting = table_of(rising());
  CHECK(count(steady, "Steady: TTFT ") == 1);
  CHECK(count(steady, "DRIFTING") == 0);
  CHECK(count(drifting, "Steady") == 0);
  CHECK(count(drifting, "! DRIFTING: TTFT rises by ") == 1);
  CHECK(drift_words(rising().analysis()).chinese.starts_with("TTFT 上升"));
}

TEST_CASE("a run too short to judge says what is missing") {
  const Speaking speaking(Language::english);
  MadeBench made = made_bench();
  made.run.records.resize(12);
  CHECK(has(validity_line(made.analysis()), "cannot tell (TTFT: 12 values, too few"));
}

TEST_CASE("certified bounds, or what they would take, stand in one line") {
  const Speaking speaking(Language::english);
  const std::string line = certified_line(made_bench().analysis());
  CHECK(has(line, "With 99 % confidence: TTFT P95 ≤ "));
  CHECK(has(line, "P99 not estimable (662 requests needed)"));
  const json::object ttft =
      bench_json(made_bench().analysis(), made_bench().plan, made_bench().shape, made_bench().subject)
          .at("metrics")
          .at("ttft")
          .at("quantiles")
          .as_object();
  CHECK(ttft.at("95").at("certified_ns").is_int64());
  CHECK(ttft.at("95").at("certified_ns").as_int64() >= ttft.at("95").at("value").as_int64());
  CHECK(ttft.at("99").at("certified_ns").is_null());
  CHECK(ttft.at("99").at("certified_reason") == "too_few");
  CHECK(ttft.at("99").at("needed_n") == 662);
}

TEST_CASE("the JSON holds each series with its tests") {
  const json::object validity = validity_json(rising().analysis().validity);
  CHECK(validity.at("verdict") == "drifting_up");
  CHECK(validity.at("significance").as_double() == doctest::Approx(0.025));
  const json::object ttft = validity.at("series").at("ttft").as_object();
  CHECK(ttft.at("trend").at("p").as_double() < 0.025);
  CHECK(ttft.at("trend").at("drift").as_double() > 0.1);
  CHECK(ttft.at("values") == 98);  // 197 in pairs
  CHECK(ttft.at("requests_per_value") == 2);
  CHECK(ttft.at("bin_s").is_null());
  CHECK(validity.at("series").at("tpot").at("verdict") == "steady");
}

TEST_CASE("fan-out stands where limits are set, and only there") {
  const Speaking speaking(Language::english);
  CHECK(has(fan_out_line(made_bench().analysis()), "99.8995 %"));
  MadeBench without = made_bench();
  without.options.limits = {};
  CHECK(fan_out_line(without.analysis()).empty());
}

}  // namespace scoville::report
