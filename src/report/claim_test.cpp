#include "report/claim.hpp"

#include <doctest/doctest.h>

#include "text/catalogue.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

claim::Check made_check() {
  claim::Claim out;
  out.text = "X beats Y";
  out.party = "X Inc";
  out.role = claim::Role::vendor;
  out.url = "https://x.example";
  out.headlines = {"Z"};
  out.ratio = claim::Ratio{2, 2};
  for (const auto& [key, words] : {std::pair("subject.device", "X"),
                                   {"comparator.device", "Y"},
                                   {"metric.name", "throughput"},
                                   {"workload.model", "M"}})
    out.said[key] = {words, words};
  out.said["software.engine"] = {"A", "B"};
  claim::Measured measured;
  measured.ratio = 1.5;
  measured.lo = 1.4;
  measured.hi = 1.6;
  return claim::check(out, {measured}, "x.yaml");
}

}  // namespace

TEST_CASE("the JSON holds verdict, evidence, points, results and commands under their keys") {
  const json::object seen = claim_json(made_check());
  CHECK(seen.at("schema") == "scoville.claim/1");
  CHECK(seen.at("verdict") == "direction_supported_size_refuted");
  CHECK(seen.at("evidence").at("level") == "L1");
  CHECK(seen.at("checklist").as_array().size() == 20);
  CHECK(seen.at("watch").as_array().size() == 5);
  CHECK(seen.at("mismatched").as_array().size() == 1);
  CHECK(seen.at("results").as_array().front().at("low") == 1.4);
  CHECK(seen.at("claim").at("date").is_null());
  CHECK_FALSE(seen.at("to_test").as_array().empty());
}

TEST_CASE("the table opens with the verdict, and keeps within a terminal's width but for commands") {
  for (const text::Language language : {text::Language::english, text::Language::chinese}) {
    text::set_language(language);
    const std::string table = claim_table(made_check());
    CHECK(table.starts_with(language == text::Language::english ? "Verdict: better, but by less" : "结论：方向成立"));
    CHECK(table.find("Z") != std::string::npos);
    for (std::size_t at = 0; at < table.size();) {
      const std::size_t end = table.find('\n', at);
      const std::string line = table.substr(at, end - at);
      if (line.find("scoville ") == std::string::npos) CHECK(text::display_width(line) <= 120);
      at = end + 1;
    }
  }
  text::set_language(text::Language::english);
}

}  // namespace scoville::report
