#include "report/cost.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "report/cost_words.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

constexpr const char* kStudy =
    "currency: CNY\ntax: {included: true, recoverable: true, vat: 0.13}\nwacc: 0\nhorizon_years: 4\n"
    "demand: {mtok_out_per_year: 1000, in_out_ratio: 3}\n"
    "options:\n"
    "- {name: cards, kind: rented, acc_per_node: 8, price_acc_hour: {value: 11.3, low: 5.65, high: 11.3}, util: 0.5,\n"
    "   licence_acc_year: 0, perf: {out_per_s: {value: 100, low: 90, high: 110}}}\n"
    "- {name: API, kind: api, price_in_mtok: 1.13, price_out_mtok: 5.65}\n";

cost::Outcome outcome_of(const std::string& yaml) {
  const Result<config::Node> root = config::Node::parse(yaml, "study.yaml");
  REQUIRE(root.ok());
  const Result<cost::Outcome> out = cost::work_out(cost::read_study(*root));
  REQUIRE(out.ok());
  return *out;
}

bool holds(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a table says the bill, the method, the verdict and what was taken from where; within its width") {
  const std::string table = cost_table(outcome_of(kStudy), /*detail=*/true);
  // Tax taken out: 10 an hour, 1 and 5 a Mtok. 100 tokens/s at half use: 1576.8 Mtok a year, one node of 8
  // accelerators.
  CHECK(holds(table, "All amounts are without value-added tax"));
  CHECK(holds(table, "700,800"));  // 8 · 8760 · 10
  CHECK(holds(table, "8,000"));    // 1000 · (5 + 3 · 1)
  CHECK(holds(table, "by a price list"));
  CHECK(holds(table, "cheaper"));
  CHECK(holds(table, "What moves the saving of API against cards"));
  CHECK(holds(table, "not said") == false);  // "Not said" begins its line
  CHECK(holds(table, "Not said"));
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(text::display_width(line) <= kCostWidth);
  }
}

TEST_CASE("in Chinese amounts from 10000 on are in 万元") {
  text::set_language(text::Language::chinese);
  const std::string table = cost_table(outcome_of(kStudy), false);
  text::set_language(text::Language::english);
  CHECK(holds(table, "70.08 万元"));
  CHECK(holds(table, "8,000 元"));
  CHECK(holds(table, "更便宜"));
}

TEST_CASE("what is missing is a line each, with its unit in the study's currency") {
  std::string yaml = kStudy;
  yaml.replace(yaml.find("util: 0.5,"), 10, "");
  yaml.replace(yaml.find("price_in_mtok: 1.13, "), 21, "");
  const cost::Outcome outcome = outcome_of(yaml);
  const std::string missing = cost_table(outcome, false);
  CHECK(holds(missing, "2 inputs are missing"));
  CHECK(holds(missing, "cards: util"));
  CHECK(holds(missing, "API: price_in_mtok"));
  CHECK(holds(missing, "[CNY/Mtok]"));
  const json::object object = cost_json(outcome);
  CHECK(object.at("missing").as_array().size() == 2);
  CHECK(object.at("mtok_out_per_year").is_null());
}

TEST_CASE("the JSON has every part of the bill, and null where a figure does not apply") {
  const json::object object = cost_json(outcome_of(kStudy));
  const json::object& cards = object.at("options").as_array()[0].as_object();
  const json::object& api = object.at("options").as_array()[1].as_object();
  CHECK(cards.at("annual").at("parts").at("rent").as_double() == doctest::Approx(700800));
  CHECK(cards.at("annual").at("parts").as_object().size() == cost::kParts);
  CHECK(cards.at("rack").is_null());
  CHECK(api.at("fleet").is_null());
  CHECK(api.at("per_mtok").at("method").as_string() == "price_list");
  CHECK(object.at("pairs").as_array()[0].at("saving").at("verdict").as_string() == "cheaper");
}

TEST_CASE("numbers of a table are grouped from 1000 on") {
  CHECK(plain(1234567.6) == "1,234,568");
  CHECK(plain(-1234) == "-1,234");
  CHECK(plain(0.89150212) == "0.8915");
  CHECK(unit_text("money/kWh", "CNY") == "CNY/kWh");
  CHECK(unit_text("kW", "CNY") == "kW");
}

}  // namespace scoville::report
