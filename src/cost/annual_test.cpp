#include "cost/annual.hpp"

#include <cmath>

#include "cost/energy.hpp"
#include "cost/made_study.hpp"

namespace scoville::cost {
namespace {

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(1e-8); }  // nine digits are printed

OptionOutcome option_of(const std::string& option, const std::string& more = "") {
  return worked_out(read_text(std::string(kHead) + more + "options:\n" + option)).options.at(0);
}

std::string with_cards(std::string option, const std::string& more = "") {
  return option.insert(option.find("price_acc"), "accelerators: 64, " + more);
}

}  // namespace

TEST_CASE("T-COST-1: every line of the bill of 64 accelerators") {
  const OptionOutcome a = option_of(with_cards(kOptionA));
  CHECK(a.fleet.nodes == 8);
  CHECK(a.fleet.bought == 66);
  CHECK(a.annual.capex_acc == 1980000);
  CHECK(a.annual.capex_node == 640000);
  CHECK(a.annual.capex_net == 352000);
  CHECK(a.annual.capex_hw == 2972000);
  CHECK(a.annual.capex_install == near(59440));
  CHECK(a.annual.capex_total == near(3071440));
  CHECK(a.annual.residual == near(262000));
  CHECK(a.annual.residual_now == near(178949.525));
  CHECK(a.annual[Part::capital] == near(912496.295));
  CHECK(a.annual.kw_prov == near(83.2));
  CHECK(a.annual.kw_avg == near(49.28));
  CHECK(a.annual.kwh_it == near(431692.8));
  CHECK(a.annual.kwh_facility == near(561200.64));
  CHECK(a.annual[Part::electricity] == near(50059.0971));
  CHECK(a.annual[Part::space] == near(183765.504));
  CHECK(a.annual[Part::support] == near(89160));
  CHECK(a.annual.failures == near(5.8112));
  CHECK(a.annual[Part::failures] == near(17433.6));
  CHECK(a.annual[Part::staff] == near(110000));
  CHECK(a.annual[Part::operations] == near(6000));
  CHECK(a.annual.total() == near(1368914.50));
  CHECK(*a.per_acc_hour == near(2.44169966));
}

TEST_CASE("T-COST-1: useful tokens, unit costs and energy") {
  const OptionOutcome a = option_of(with_cards(kOptionA));
  CHECK(a.tokens.unplanned_down == near(0.00199013699));
  CHECK(a.tokens.availability == near(0.993019814));
  CHECK(a.tokens.useful_share == near(0.577937532));
  CHECK(a.volumes.out == near(1399744.36));
  CHECK(a.volumes.in == near(4199233.07));
  CHECK(*a.unit.blended == near(0.244493662));
  CHECK(*a.unit.out == near(0.977974648));
  CHECK(*a.unit.in == near(0.325991549));
  CHECK(*a.hourly_rule == doctest::Approx(0.141302).epsilon(4e-6));
  CHECK(a.annual.kwh_facility / a.volumes.out == near(0.400930811));
  CHECK(a.annual.kwh_it * 3.6 / a.volumes.out == near(1.11026994));
}

TEST_CASE("T-BE-1: every line of the bill of 64 accelerators that had to be ported") {
  const Outcome both = worked_out(two_options("demand: {accelerators_of_first: 64}\n"));
  CHECK(both.options[0].fleet.serving == 64);
  Study study = two_options("");
  change(study, 0, In::accelerators, 64);
  change(study, 1, In::accelerators, 64);
  const OptionOutcome b = worked_out(study).options[1];
  CHECK(b.fleet.bought == 68);
  CHECK(b.annual.capex_total == near(2508400));
  CHECK(b.annual[Part::capital] == near(746767.602));
  CHECK(b.annual[Part::electricity] == near(48108.7427));
  CHECK(b.annual[Part::space] == near(169629.696));
  CHECK(b.annual[Part::support] == near(72600));
  CHECK(b.annual[Part::failures] == near(20160));
  CHECK(b.annual[Part::porting] == near(151425.986));
  CHECK(b.annual[Part::upkeep] == near(90000));
  CHECK(b.annual[Part::delay] == near(39794.7491));
  CHECK(b.annual.total() == near(1454486.78));
  CHECK(b.tokens.availability == near(0.985186301));
  CHECK(b.volumes.out == near(1249832.13));
  CHECK(*b.unit.out == near(1.16374571));
}

TEST_CASE("the annuity pays back what was spent less what is left, and is a straight line without interest") {
  CHECK(annuity(0.10, 4) == near(0.315470804));
  CHECK(annuity(0, 4) == 0.25);
  CHECK(annuity(1e-9, 4) == doctest::Approx(0.25).epsilon(1e-6));
  const OptionOutcome a = option_of(with_cards(kOptionA));
  double paid = 0;
  for (int year = 1; year <= 4; ++year) paid += a.annual[Part::capital] / std::pow(1.1, year);
  CHECK(paid == near(2892490.47));
  CHECK(paid == near(a.annual.capex_total - a.annual.residual_now));
  Study free = two_options("");
  change(free, 0, In::accelerators, 64);
  change(free, 0, In::wacc, 0);
  CHECK(worked_out(free).options[0].annual[Part::capital] == near(702360));  // (3071440 − 262000) / 4
}

TEST_CASE("more use changes the electricity of a bill and nothing else") {
  Study study = two_options("");
  change(study, 0, In::accelerators, 64);
  const Annual at60 = worked_out(study).options[0].annual;
  change(study, 0, In::util, 0.85);
  const Annual at85 = worked_out(study).options[0].annual;
  for (std::size_t i = 0; i < kParts; ++i) {
    CAPTURE(kPartNames[i]);
    CHECK((at60.parts[i] != at85.parts[i]) == (static_cast<Part>(i) == Part::electricity));
  }
}

TEST_CASE("a redundant node is paid for, idles and makes no token") {
  // By hand: 8 more accelerators of 1.30 kW at 184.06 a month; 0.35 kW idle for 8760 h, PUE 1.30, 0.0892.
  const OptionOutcome with = option_of(with_cards(kOptionA, "redundant_nodes: 1, "));
  const OptionOutcome without = option_of(with_cards(kOptionA));
  CHECK(with.fleet.installed == 72);
  CHECK(with.fleet.nodes == 9);
  CHECK(with.fleet.bought == 75);  // 72 · 1.03 = 74.16
  CHECK(with.volumes.out == without.volumes.out);
  CHECK(with.annual[Part::space] - without.annual[Part::space] == near(8 * 1.30 * 184.06 * 12));
  CHECK(with.annual[Part::electricity] - without.annual[Part::electricity] == near(8 * 0.35 * 8760 * 1.30 * 0.0892));
}

TEST_CASE("a rented card is billed for all hours, or for those in use") {
  const std::string rented =
      "- {name: R, kind: rented, accelerators: 10, acc_per_node: 1, price_acc_hour: 2, util: 0.5, good_frac: 1,\n"
      "   planned_down: 0, fte_ops: 0, net_opex_year: 0, perf: {out_per_s: 1000, in_per_s: 0}";
  CHECK(option_of(rented + "}\n").annual.total() == near(10 * 8760 * 2));
  CHECK(option_of(rented + ", billing: on_demand}\n").annual.total() == near(10 * 8760 * 2 * 0.5));
  CHECK(option_of(rented + ", billing: on_demand, billed_share: 0.7}\n").annual.total() == near(10 * 8760 * 2 * 0.7));
}

TEST_CASE("an API costs its list, cached input apart, and what comes on top in proportion") {
  // 100 Mtok of output, 300 of input, half of them cached: 100·8 + 150·2 + 150·0.5 = 1175; 117.5 more on top.
  const OptionOutcome api = option_of(
      "- {name: X, kind: api, price_in_mtok: 2, price_cached_mtok: 0.5, price_out_mtok: 8, fte_ops: 0,\n"
      "   net_opex_year: 117.5}\n",
      "demand: {mtok_out_per_year: 100, in_out_ratio: 3, cached_share: 0.5}\n");
  CHECK(api.annual[Part::tokens] == near(1175));
  CHECK(api.annual.total() == near(1292.5));
  CHECK(*api.unit.out == near(8.8));
  CHECK(*api.unit.in == near(2.2));
  CHECK(*api.unit.cached == near(0.55));
}

TEST_CASE("T-COST-3: the hourly rule, tokens for each MW and joules of a token at 5000 tokens/s") {
  CHECK(hourly_rule(1.30, 5000) == doctest::Approx(0.0722222).epsilon(1e-6));
  CHECK(hourly_rule(1.95, 5000) == doctest::Approx(0.108333).epsilon(1e-5));
  CHECK(hourly_rule(1.48, 5000) == doctest::Approx(0.0822222).epsilon(1e-6));
  CHECK(tokens_per_mw(5000, 1.73) == near(2890173.41));
  CHECK(tokens_per_mw(5000, 2.17) == near(2304147.47));
  CHECK(tokens_per_mw(5000, 2.65) == near(1886792.45));
  CHECK(joules_per_token(5000, 1.73) == near(0.346));
}

TEST_CASE("T-EN-2: provisioned power of a node by its TDPs") {
  CHECK(provisioned_watts(700, 5600, 3500, /*is_liquid=*/true) == near(12740));
  CHECK(25000 / (provisioned_watts(700, 5600, 3500, true) / 1000) == near(1962.32339));
  CHECK(provisioned_watts(700, 5600, 3500, /*is_liquid=*/false) == near(14700));
}

}  // namespace scoville::cost
