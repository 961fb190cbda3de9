#include "cost/break_even.hpp"

#include "cost/made_study.hpp"
#include "cost/resolve.hpp"

namespace scoville::cost {
namespace {

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(2e-8); }
doctest::Approx six(double value) { return doctest::Approx(value).epsilon(1e-6); }

Model model_of(const Study& study) {
  Outcome outcome;
  Model out = resolve(study, outcome).model;
  REQUIRE(outcome.is_complete());
  return out;
}

/// B after one change, as cards of A at which it breaks even.
std::optional<double> cards(const std::vector<std::pair<In, double>>& changes, double rate = 1080, double util = 0.6) {
  Study study = two_options();
  for (const auto& [id, value] : changes) change(study, 1, id, value);
  change(study, 0, In::util, util);
  change(study, 1, In::util, util);
  study.options[1].perf.out_per_s.value = rate;
  study.options[1].perf.in_per_s.value = 3 * rate;
  return break_even(model_of(study), 1).first_acc;
}

}  // namespace

TEST_CASE("T-BE-1: two straight lines and where they cross") {
  const BreakEven found = break_even(model_of(two_options()), 1);
  CHECK(found.sense == Sense::above);
  CHECK(found.first.fixed == near(128618.832));
  CHECK(found.first.per_acc == near(19367.2360));
  CHECK(found.first.mtok_out_per_acc == near(21871.0056));
  CHECK(found.first.per_mtok_out == near(0.885521057));
  CHECK(found.option.fixed == near(370044.818));
  CHECK(found.option.per_acc == near(16927.0683));
  CHECK(found.option.mtok_out_per_acc == near(19528.6271));
  CHECK(found.option.per_mtok_out == near(0.866782304));
  CHECK(*found.mtok_out == near(12883780.2));
  CHECK(*found.first_acc == near(589.080376));
  CHECK(*found.option_acc == near(659.738146));
}

TEST_CASE("T-BE-1: whole nodes and spares make a zone of the point") {
  const BreakEven found = break_even(model_of(two_options()), 1);
  REQUIRE(found.zone);
  REQUIRE(found.zone->first_win);
  REQUIRE(found.zone->last_loss);
  CHECK(found.zone->first_win->first_acc == 656);
  CHECK(found.zone->first_win->option_acc == 736);
  CHECK(found.zone->first_win->first_cost == near(12836695.89));
  CHECK(found.zone->first_win->option_cost == near(12834192.43));
  CHECK(found.zone->last_loss->first_acc == 872);
  CHECK(found.zone->last_loss->option_acc == 984);
  CHECK(found.zone->last_loss->first_cost == near(17025170.50));
  CHECK(found.zone->last_loss->option_cost == near(17032937.57));
}

TEST_CASE("T-BE-1: what moves the point") {
  CHECK(*cards({}, 1200) == six(107.975259));
  CHECK(*cards({{In::delay_months, 0}}) == six(218.246098));
  CHECK(*cards({{In::afr, 0.0908}, {In::mttr_h, 24}, {In::spare_frac, 0.03}}) == six(259.967150));
  CHECK(*cards({{In::port_upkeep_year, 0}}) == six(369.480014));
  CHECK(*cards({{In::port_engineers, 6}}) == doctest::Approx(935.468).epsilon(1e-6));
  CHECK(*cards({}, 1080, 0.30) == six(577.080611));
  CHECK_FALSE(cards({}, 1020));  // never
}

TEST_CASE("T-BE-1: the throughput ratio at which both cost the same, by demand") {
  for (const auto& [demand, ratio] : std::vector<std::pair<double, double>>{
           {64, 1.10312}, {128, 0.979160}, {256, 0.927071}, {512, 0.903051}, {1024, 0.891502}, {4096, 0.883032}}) {
    Study study = two_options();
    study.demand.accelerators = demand;
    const auto found = break_even_ratio(model_of(study), 1);
    REQUIRE(found);
    CHECK(*found == doctest::Approx(ratio).epsilon(3e-6));
  }
}

TEST_CASE("T-BE-1: payback, present value and what a port may cost") {
  Study study = two_options();
  study.demand.accelerators = 512;
  const PortingCase at512 = porting_case(model_of(study), 1);
  CHECK(at512.oneoff == 480000);
  CHECK(at512.saving_before == near(119835.72));
  CHECK(*at512.payback_years == doctest::Approx(4.00548).epsilon(1e-6));
  CHECK(at512.net_present_value == doctest::Approx(-100136.89).epsilon(1e-7));
  study.demand.accelerators = 1024;
  const PortingCase at1024 = porting_case(model_of(study), 1);
  CHECK(at1024.affordable == near(1045014.10));
  CHECK(*at1024.affordable_engineer_years == doctest::Approx(3.48).epsilon(2e-3));
}

TEST_CASE("a cheaper option without fixed cost always wins; a dearer one with less of it wins below") {
  Study study = two_options();
  for (const In id : {In::port_engineers, In::port_extra, In::port_upkeep_year, In::delay_months})
    change(study, 1, id, 0);
  change(study, 1, In::facility_oneoff, 0);
  CHECK(break_even(model_of(study), 1).sense == Sense::always);
  change(study, 1, In::price_acc, 60000);
  const BreakEven below = break_even(model_of(study), 1);
  CHECK(below.sense == Sense::below);
  CHECK(below.first.at(*below.mtok_out) == near(below.option.at(*below.mtok_out)));
  CHECK_FALSE(below.zone);
}

TEST_CASE("an API against cards: the point is where the bills are equal") {
  const Study study = read_text(
      std::string(kHead) + "demand: {mtok_out_per_year: 1e6}\noptions:\n" +
      "- {name: X, kind: api, price_in_mtok: 0.25, price_out_mtok: 1, fte_ops: 0, net_opex_year: 0}\n" + kOptionA);
  const Model model = model_of(study);
  const BreakEven found = break_even(model, 1);
  CHECK(found.first.per_mtok_out == near(1.75));  // 1 + 3 · 0.25, the proportion of the cards
  CHECK(found.sense == Sense::above);
  CHECK(*found.mtok_out == near(128618.832 / (1.75 - 0.885521057)));
  REQUIRE(found.zone);
  REQUIRE(found.zone->first_win);
  CHECK(found.zone->first_win->first_acc == 0);
  CHECK(found.zone->first_win->option_acc == 8);  // 149 k Mtok take 6.8 cards: the first whole node serves 175 k
  CHECK_FALSE(break_even_ratio(model, 1));
}

}  // namespace scoville::cost
