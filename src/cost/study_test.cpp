#include "cost/study.hpp"

#include <algorithm>

#include "cost/defaults.hpp"
#include "cost/made_study.hpp"
#include "cost/resolve.hpp"

namespace scoville::cost {
namespace {

const std::string kOne =
    "options:\n- {name: A, kind: rented, accelerators: 8, acc_per_node: 8, util: 0.5, price_acc_hour: ";
const std::string kRest = ", perf: {out_per_s: 10, in_per_s: 30}}\n";

std::vector<std::string> missing_of(const std::string& yaml) {
  std::vector<std::string> out;
  for (const Missing& each : worked_out(read_text(yaml)).missing)
    out.push_back(each.option.empty() ? each.path : each.option + ":" + each.path);
  return out;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

double rent(const std::string& head, const std::string& price) {
  return worked_out(read_text(head + kOne + price + kRest)).options.at(0).plant[In::price_acc_hour];
}

}  // namespace

TEST_CASE("the table of inputs stands in the order of its names, each with a meaning of its own") {
  for (std::size_t i = 0; i < kInputs; ++i) {
    const Input& each = inputs()[i];
    CHECK(each.id == static_cast<In>(i));
    CHECK(each.kinds != 0);
    for (std::size_t j = 0; j < std::min(i, kInputsWithKeys); ++j) {
      if (i < kInputsWithKeys) CHECK(path_of(each) != path_of(inputs()[j]));
    }
  }
}

TEST_CASE("an unknown key is a fault with the nearest name; a key of another kind is unknown") {
  const std::string text = std::string(kHead) + "options:\n" + kOptionA;
  CHECK(fault_of(text) == "");
  std::string wrong = text;
  wrong.replace(wrong.find("spare_frac"), 10, "spare_farc");
  CHECK(fault_of(wrong) == "study.yaml:11: options[0].spare_farc: unknown key; did you mean spare_frac?");
  CHECK(fault_of("currency: USD\n" + kOne + "2, price_acc: 5" + kRest).find("options[0].price_acc: unknown key") !=
        std::string::npos);
}

TEST_CASE("a card takes no less power busy than idle: a fault where one of the two stands") {
  const std::string text = std::string(kHead) + "options:\n" + kOptionA;
  std::string own = text;
  own.replace(own.find("kw_busy: 1.05"), 13, "kw_busy: 0.30");
  CHECK(fault_of(own) == "study.yaml:11: options[0].kw_busy: found 0.3; expected kw_idle, 0.35, or more");
  std::string idle = text;
  idle.replace(idle.find("kw_busy: 1.05"), 13, "kw_idle: 2");
  idle.replace(idle.find("kw_idle: 0.35"), 13, "kw_busy: 1.05");
  CHECK(fault_of(idle) == "study.yaml:11: options[0].kw_idle: found 2; expected kw_busy, 1.05, or less");
  std::string common = text;
  common.replace(common.find("kw_idle: 0.35"), 13, "kw_idle: 2, kw_busy: 1");
  common.replace(common.find("kw_busy: 1.05, "), 15, "");
  CHECK(fault_of(common) == "study.yaml:7: common.kw_busy: found 1; expected kw_idle, 2, or more");
}

TEST_CASE("a fault says line, field and what was expected") {
  CHECK(fault_of("currency: dollars\noptions: [{name: A}]\n") ==
        "study.yaml:1: currency: found \"dollars\"; expected a currency's three letters, as CNY");
  CHECK(fault_of("currency: USD\nsite: {pue: 0.9}\noptions: [{name: A}]\n") ==
        "study.yaml:2: site.pue: found \"0.9\"; expected a number from 1 to 5");
  CHECK(fault_of("currency: USD\noptions:\n- {name: A, price_acc: cheap}\n") ==
        "study.yaml:3: options[0].price_acc: found \"cheap\"; expected an amount as 30000 (in USD) or 30000 USD");
  CHECK(fault_of("currency: USD\noptions: []\n").find("no option") != std::string::npos);
  CHECK(fault_of("currency: USD\noptions: [{name: A}, {name: A}]\n").find("second option") != std::string::npos);
}

TEST_CASE("sensitivities are of inputs that there are; a key may stand without its section") {
  const std::string options = "options: [{name: A}]\n";
  CHECK(read_text("currency: USD\ntornado: [util, pue, port.years, perf]\n" + options).tornado_keys ==
        std::vector<std::string>{"util", "site.pue", "port.years", "perf"});
  CHECK(read_text("currency: USD\ntornado: auto\n" + options).tornado_keys.empty());
  CHECK_FALSE(read_text("currency: USD\ntornado: none\n" + options).has_tornado);
  CHECK(fault_of("currency: USD\ntornado: [utli]\n" + options) ==
        "study.yaml:2: tornado: utli is no input; did you mean util?");
}

TEST_CASE("an option's own key goes before `common`, its own `site` before the study's") {
  const Study study = read_text(
      "currency: USD\nsite: {pue: 1.3, price_kwh: 0.1}\ncommon: {util: 0.5, acc_per_node: 8}\n"
      "options:\n- {name: A}\n- {name: B, util: 0.7, site: {pue: 1.1}}\n");
  CHECK(study.options[0][In::util]->quantity.value == 0.5);
  CHECK(study.options[0][In::util]->origin == Origin::common);
  CHECK(study.options[1][In::util]->quantity.value == 0.7);
  CHECK(study.options[1][In::util]->origin == Origin::option);
  CHECK(study.options[0][In::pue]->quantity.value == 1.3);
  CHECK(study.options[1][In::pue]->quantity.value == 1.1);
  CHECK(study.options[1][In::price_kwh]->quantity.value == 0.1);
}

TEST_CASE("amounts in another currency are converted at a dated rate, and are a fault without one") {
  const std::string head = "currency: CNY\ntax: {included: false, recoverable: true}\n";
  const std::string rates = "rates: {USD: {value: 7.1, per: CNY, source: bank, date: 2026-08-03}}\n";
  CHECK(rent(head, "2") == 2);
  CHECK(rent(head + rates, "2 USD") == doctest::Approx(14.2));
  CHECK(rent(head + rates, "0.001万美元") == doctest::Approx(71));
  CHECK(rent(head, "0.002 万元") == doctest::Approx(20));
  CHECK(rent(head + rates, "{value: 2 USD, low: 1 USD, high: 30}") == doctest::Approx(14.2));
  CHECK(fault_of(head + kOne + "2 USD" + kRest).find("an amount in USD, and no rate") != std::string::npos);
  const std::string undated = "rates: {USD: {value: 7.1, per: CNY, source: bank}}\n";
  CHECK(fault_of(head + undated + kOne + "2 USD" + kRest).find("rates.USD.date: missing") != std::string::npos);
  const std::string turned = "rates: {USD: {value: 0.14, per: USD, source: bank, date: 2026-08-03}}\n";
  CHECK(fault_of(head + turned + kOne + "2 USD" + kRest).find("rates.USD.per") != std::string::npos);
}

TEST_CASE("tax that comes back is taken out of a price, tax that does not is put in; goods and services apart") {
  const auto factor = [](bool included, bool recoverable, Tax tax) {
    return *tax_factor({included, 0.13, 0.06, recoverable}, tax);
  };
  CHECK(factor(true, true, Tax::goods) == doctest::Approx(1 / 1.13));
  CHECK(factor(true, true, Tax::services) == doctest::Approx(1 / 1.06));
  CHECK(factor(false, false, Tax::goods) == doctest::Approx(1.13));
  CHECK(factor(true, false, Tax::goods) == 1);
  CHECK(factor(false, true, Tax::goods) == 1);
  CHECK(factor(true, true, Tax::none) == 1);
  CHECK_FALSE(tax_factor({true, std::nullopt, std::nullopt, true}, Tax::goods));
  CHECK(rent("currency: CNY\ntax: {included: true, recoverable: true, vat: 0.13, vat_services: 0.06}\n", "21.2") ==
        doctest::Approx(20));
}

TEST_CASE("prices in CNY need to say whether they hold tax") {
  const auto all = missing_of("currency: CNY\n" + kOne + "2" + kRest);
  CHECK(has(all, "tax.included"));
  CHECK(has(all, "tax.recoverable"));
  CHECK(missing_of("currency: USD\n" + kOne + "2" + kRest).empty());
}

TEST_CASE("a tariff of the day's parts is one price; its hours are 24") {
  // (8·1.0 + 10·0.6 + 6·0.3) / 24 = 15.8 / 24
  const std::string tariff =
      "currency: USD\nsite: {tariff: {peak: {hours: 8, price_kwh: 1.0}, flat: {hours: 10, price_kwh: 0.6},\n"
      "  valley: {hours: 6, price_kwh: 0.3}, demand_charge_kw_month: 40}}\noptions: [{name: A}]\n";
  const Study study = read_text(tariff);
  CHECK(study.options[0][In::price_kwh]->quantity.value == doctest::Approx(15.8 / 24));
  CHECK(study.options[0][In::demand_charge_kw_month]->quantity.value == 40);
  std::string short_day = tariff;
  short_day.replace(short_day.find("hours: 10"), 9, "hours: 9");
  CHECK(fault_of(short_day).find("the hours of its parts are 23; expected 24") != std::string::npos);
  std::string empty = tariff;
  empty.replace(empty.find("price_kwh: 0.6"), 14, "price_kwh: ");
  CHECK(has(missing_of(empty), "site.tariff"));  // begun: no default is taken
}

TEST_CASE("the demand charge is paid on provisioned power at the meter") {
  Study study = two_options();
  change(study, 0, In::demand_charge_kw_month, 40);
  const OptionOutcome a = worked_out(study).options[0];
  CHECK(a.annual[Part::demand_charge] == doctest::Approx(a.annual.kw_prov * 1.30 * 40 * 12));
}

TEST_CASE("a list of network parts stands for a price of each accelerator") {
  const std::string list =
      "currency: USD\noptions:\n- {name: A, accelerators: 64, network: [{item: leaf switch, unit_price: 20000, count: "
      "8},\n"
      "    {item: cable, unit_price: 100, count: 640}]}\n";
  const Study study = read_text(list);
  Outcome outcome;
  CHECK(resolve(study, outcome).model.plants[0][In::price_net_per_acc] == doctest::Approx(224000.0 / 64));
  std::string open = list;
  open.replace(open.find("accelerators: 64, "), 18, "");
  CHECK(has(missing_of(open), "A:network_for"));
}

TEST_CASE("what is missing is asked for in one go, and never guessed") {
  const auto all =
      missing_of("currency: USD\noptions: [{name: A, fte_ops: 1, delay_months: 2, port: {engineers: 1}}]\n");
  for (const char* each : {"A:price_acc", "A:kw_prov", "A:kw_idle", "A:kw_busy", "A:util", "A:acc_per_node",
                           "A:fte_cost", "A:bridge_premium", "A:port.years", "A:port.eng_cost", "A:perf.out_per_s",
                           "A:perf.in_per_s", "demand.mtok_out_per_year"}) {
    CAPTURE(each);
    CHECK(has(all, each));
  }
  CHECK_FALSE(has(all, "site.pue"));  // public data have one
}

TEST_CASE("a default says its source and date; in another currency it takes a rate") {
  const std::string option = "options:\n" + std::string(kOptionA);
  const std::string head =
      "common: {acc_per_node: 8, kw_idle: 0.35, util: 0.6, good_frac: 1}\ndemand: {accelerators_of_first: 64}\n";
  const Outcome usd = worked_out(read_text("currency: USD\n" + head + option));
  REQUIRE(usd.is_complete());
  const auto kwh = std::find_if(usd.defaults.begin(), usd.defaults.end(),
                                [](const DefaultUsed& each) { return each.path == "site.price_kwh"; });
  REQUIRE(kwh != usd.defaults.end());
  CHECK(kwh->value == 0.0892);
  CHECK(kwh->date == "2024-10");
  CHECK(kwh->source.find("EIA") != std::string::npos);
  const std::string tax = "currency: CNY\ntax: {included: false, recoverable: true}\n";
  CHECK(has(missing_of(tax + head + option), "site.price_kwh"));
  const Outcome cny = worked_out(
      read_text(tax + "rates: {USD: {value: 7, per: CNY, source: bank, date: 2026-08-03}}\n" + head + option));
  REQUIRE(cny.is_complete());
  CHECK(cny.options[0].plant[In::price_kwh] == doctest::Approx(0.0892 * 7));
}

TEST_CASE("a card with a public price has one by its name, any other is asked for") {
  const std::string rest = "kind: rented, accelerators: 8, acc_per_node: 8, util: 0.5" + kRest;
  CHECK(worked_out(read_text("currency: USD\noptions:\n- {name: A, device: H100, " + rest)).options[0].per_acc_hour ==
        doctest::Approx(1.30));
  CHECK(has(missing_of("currency: USD\noptions:\n- {name: A, device: Z9, " + rest), "A:price_acc_hour"));
}

TEST_CASE("utilisation is mean ÷ peak demand, where the demand says its peak") {
  const Study study = read_text(
      "currency: USD\ndemand: {peak_to_mean: 1.6, in_out_ratio: 2}\noptions:\n"
      "- {name: A, kind: rented, accelerators: 8, price_acc_hour: 2, perf: {out_per_s: 10}}\n");
  const OptionOutcome a = worked_out(study).options[0];
  CHECK(a.plant[In::util] == 0.625);
  CHECK(a.plant[In::in_per_s] == 20);
}

TEST_CASE("what counts as nothing is listed; a fleet too small for its demand is told") {
  Study study = two_options("demand: {mtok_out_per_year: 1e8}\n");
  change(study, 0, In::accelerators, 64);
  const Outcome outcome = worked_out(study);
  const auto storage = std::find_if(outcome.unsaid.begin(), outcome.unsaid.end(),
                                    [](const Unsaid& each) { return each.path == "storage_tb"; });
  REQUIRE(storage != outcome.unsaid.end());
  CHECK(storage->options == std::vector<std::string>{"A", "B"});
  const auto small = std::find_if(outcome.notes.begin(), outcome.notes.end(),
                                  [](const Note& each) { return each.code == "fleet_too_small"; });
  REQUIRE(small != outcome.notes.end());
  CHECK(small->option == "A");
  CHECK(outcome.options[0].volumes.out == doctest::Approx(64 * 21871.0056));
  CHECK(outcome.options[1].volumes.out == doctest::Approx(1e8));
}

TEST_CASE("templates of both regions can be read in both languages and ask for what is empty") {
  for (const char* region : {"default", "cn"}) {
    for (const bool is_chinese : {false, true}) {
      const auto yaml = study_template(region, is_chinese);
      REQUIRE(yaml);
      CAPTURE(*yaml);
      CHECK(yaml->find("#en") == std::string::npos);
      CHECK(yaml->find("#zh") == std::string::npos);
      CHECK(fault_of(*yaml) == "");
      CHECK(missing_of(*yaml).size() > 10);
    }
  }
  CHECK_FALSE(study_template("mars", false));
}

TEST_CASE("money in words: grouped in English, 万元 from 10000 on in Chinese") {
  CHECK(money_text(1234567.4, "CNY") == "CNY 1,234,567");
  CHECK(money_text(-9.5, "USD") == "USD -9.5");
  text::set_language(text::Language::chinese);
  CHECK(money_text(1234567.4, "CNY") == "123.46 万元");
  CHECK(money_text(9999, "CNY") == "9,999 元");
  CHECK(money_text(25000, "USD") == "2.50 万美元");
  CHECK(money_text(25000, "EUR") == "2.50 万EUR");
  CHECK(span_text(0.5, 0.75, "CNY") == "0.5…0.75 元");
  text::set_language(text::Language::english);
}

}  // namespace scoville::cost
