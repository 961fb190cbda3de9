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

TEST_CASE("the totals of a table, one minus the other, come first; what is of other fleets says of which") {
  // 10 accelerators that are rented, 100 output tokens/s at half use, serve 15,768 Mtok of which 1000 are wanted: they
  // cost 10 · 8760 · 10 = 876,000 a year, the API 8,000; 0.6342 accelerators would cost 55,556.
  std::string yaml = kStudy;
  yaml.replace(yaml.find("acc_per_node: 8"), 15, "accelerators: 10");
  const cost::Outcome outcome = outcome_of(yaml);
  const std::string table = cost_table(outcome, false);
  CHECK(holds(table, "saves a year, with the fleets of this table"));
  CHECK(holds(table, "With the fleets as stated API is cheaper than cards by CNY 868,000 a year."));
  CHECK(holds(table, "With as many accelerators as the demand needs (cards 0.6342 in place of 10):"));
  CHECK(holds(table, "CNY 47,556"));
  CHECK(table.find("With the fleets as stated") < table.find("CNY 47,556"));
  const json::object object = cost_json(outcome);
  CHECK(object.at("pairs").as_array()[0].at("saving_of_totals_per_year").to_number<double>() ==
        doctest::Approx(868000));
  // A fleet that was sized, of whole nodes: its total is of 8 accelerators.
  CHECK(holds(cost_table(outcome_of(kStudy), false),
              "With the fleets as stated or rounded the total of API is CNY 692,800 a year below that of cards."));
  // Nothing is rounded: one saving, and no label.
  const std::string divided = cost_table(outcome_of("sizing: fractional\n" + std::string(kStudy)), false);
  CHECK(holds(divided, "API is cheaper than cards by CNY 47,556 a year."));
  CHECK_FALSE(holds(divided, "fleets"));
  CHECK_FALSE(holds(divided, "as the demand needs"));
}

TEST_CASE("where totals and the divisible saving have opposite signs a note says so") {
  // 1 accelerator of 87,600 a year in place of the 0.6342 that are needed, against tokens for 60,000.
  std::string yaml = kStudy;
  yaml.replace(yaml.find("acc_per_node: 8"), 15, "accelerators: 1");
  yaml.replace(yaml.find("price_in_mtok: 1.13, price_out_mtok: 5.65"), 41, "price_in_mtok: 0, price_out_mtok: 67.8");
  const cost::Outcome outcome = outcome_of(yaml);
  CHECK(*outcome.pairs[0].saving_of_totals == doctest::Approx(27600));
  CHECK(outcome.pairs[0].saving.value == doctest::Approx(-4444.44444));
  CHECK(holds(cost_table(outcome, false), "its total is below that of cards, but with as many accelerators"));
}

TEST_CASE("a fleet that cannot serve the demand: how much it serves, and its total is not subtracted") {
  std::string yaml = kStudy;
  yaml.replace(yaml.find("acc_per_node: 8"), 15, "accelerators: 16");
  yaml.replace(yaml.find("mtok_out_per_year: 1000,"), 24, "mtok_out_per_year: 50000,");
  const std::string table = cost_table(outcome_of(yaml), false);
  CHECK(holds(table, "cards: 16 accelerators serve 25,229 of 50,000 Mtok"));  // 16 · 1576.8
  CHECK(holds(table, "The totals are of different volumes, 25,229 and 50,000 Mtok of output"));
  CHECK_FALSE(holds(table, "saves a year, with the fleets of this table"));
  const json::object object = cost_json(outcome_of(yaml));
  CHECK(object.at("pairs").as_array()[0].at("saving_of_totals_per_year").is_null());
}

TEST_CASE("one of a thing is named so; a stated throughput without an interval is told from an option") {
  std::string yaml = kStudy;
  yaml.replace(yaml.find("horizon_years: 4"), 16, "horizon_years: 1");
  yaml.replace(yaml.find("{value: 100, low: 90, high: 110}"), 32, "100");
  const std::string table = cost_table(outcome_of(yaml), false);
  CHECK(holds(table, "one-off sums over 1 year at"));
  CHECK(holds(table, "Throughputs were stated without an interval: how sure this is, nobody said."));
  yaml.replace(yaml.find("util: 0.5,"), 10, "");
  CHECK(holds(cost_table(outcome_of(yaml), false), "1 input is missing"));
}

TEST_CASE("in Chinese the words of units are Chinese, symbols are not") {
  text::set_language(text::Language::chinese);
  const std::vector<std::string> words{unit_text("share", "CNY"), unit_text("1/year", "CNY"),
                                       unit_text("money/kW/month", "CNY"), unit_text("tokens/s", "CNY")};
  text::set_language(text::Language::english);
  CHECK(words == std::vector<std::string>{"占比", "每年", "元/kW/月", "tokens/s"});
  CHECK(unit_text("share/year", "CNY") == "share/year");
}

TEST_CASE("numbers of a table are grouped from 1000 on") {
  CHECK(plain(1234567.6) == "1,234,568");
  CHECK(plain(-1234) == "-1,234");
  CHECK(plain(0.89150212) == "0.8915");
  CHECK(unit_text("money/kWh", "CNY") == "CNY/kWh");
  CHECK(unit_text("kW", "CNY") == "kW");
}

}  // namespace scoville::report
