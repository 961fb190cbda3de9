#include "cost/made_study.hpp"
#include "cost/resolve.hpp"

namespace scoville::cost {
namespace {

doctest::Approx six(double value) { return doctest::Approx(value).epsilon(4e-6); }

struct Ends {
  In id;
  double low, high, at_low, at_high;
};

Lever lever(std::vector<std::size_t> options, In id, double low, double high) {
  return {id, std::move(options), false, 0, low, high};
}

Resolved resolved(const Study& study) {
  Outcome outcome;
  Resolved out = resolve(study, outcome);
  REQUIRE(outcome.is_complete());
  return out;
}

}  // namespace

TEST_CASE("T-TORN-1: what moves the cost of an output token") {
  Study study = two_options("");
  change(study, 0, In::accelerators, 64);
  const Model model = resolved(study).model;
  CHECK(cost_figure(model, 0) == six(0.977974648));
  for (const Ends& each :
       {Ends{In::util, 0.30, 0.85, 1.93644, 0.696072}, Ends{In::perf_scale, 0.8, 1.2, 1.22247, 0.814979},
        Ends{In::horizon_years, 3, 6, 1.15188, 0.805637}, Ends{In::price_acc, 24000, 36000, 0.882058, 1.07389},
        Ends{In::wacc, 0.05, 0.15, 0.901460, 1.05717}, Ends{In::support_frac, 0, 0.06, 0.914277, 1.04167},
        Ends{In::fte_ops, 0.25, 1, 0.938682, 1.05656}, Ends{In::residual_frac, 0, 0.25, 1.01831, 0.917478},
        Ends{In::good_frac, 0.90, 0.99, 1.05404, 0.958218}, Ends{In::colo_kw_month, 120, 250, 0.932282, 1.02501},
        Ends{In::price_kwh, 0.05, 0.15, 0.962258, 1.00235}, Ends{In::afr, 0.03, 0.20, 0.968342, 0.995340},
        Ends{In::pue, 1.10, 1.54, 0.972473, 0.984577}}) {
    CAPTURE(input_of(each.id).key);
    const auto bars = tornado(model, 0, {lever({0}, each.id, each.low, each.high)}, cost_figure);
    REQUIRE(bars.size() == 1);
    CHECK(bars[0].at_low == six(each.at_low));
    CHECK(bars[0].at_high == six(each.at_high));
  }
}

TEST_CASE("T-TORN-1: what moves a saving; the largest swing stands first") {
  const Model model = resolved(two_options()).model;
  CHECK(model.saving(1) == six(178245.454));
  const std::vector<Ends> all{{In::perf_scale, 0.8 / 0.9, 1 / 0.9, -2159170, 2048170},
                              {In::price_acc, 18000, 24000, 1434180, -1077690},
                              {In::delay_months, 0, 6, 891333, -534842},
                              {In::kw_prov, 1.0, 1.5, 684848, -581659},
                              {In::afr, 0.0908, 0.30, 396279, -381956},
                              {In::spare_frac, 0.03, 0.10, 416839, -139879},
                              {In::port_upkeep_year, 0, 300000, 268245, -31754.5},
                              {In::port_years, 0.25, 1, 249226, 36283.6}};
  std::vector<Lever> levers;
  for (const Ends& each : all) levers.insert(levers.begin(), lever({1}, each.id, each.low, each.high));
  const auto bars = tornado(model, 1, levers, saving_figure);
  REQUIRE(bars.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(input_of(all[i].id).key);
    CHECK(bars[i].lever.id == all[i].id);
    CHECK(bars[i].at_low == six(all[i].at_low));
    CHECK(bars[i].at_high == six(all[i].at_high));
  }
}

TEST_CASE("T-UNC-1: an interval of 3.4 % leaves the sign of a saving open, and it says how well r must be known") {
  Study study = two_options();
  study.options[1].perf.out_per_s = {1080, 1044, 1116, "", "", false, 0};  // 0.87 to 0.93 of A
  const Saving saving = worked_out(study).pairs[0].saving;
  CHECK(saving.value == six(178245.454));
  CHECK(saving.interval.lower == six(-466557.676));
  CHECK(saving.interval.upper == six(781448.382));
  CHECK(saving.verdict == Verdict::not_resolved);
  CHECK(*saving.ratio_needed == doctest::Approx(0.891502).epsilon(1e-6));
  CHECK(*saving.precision_needed == doctest::Approx((0.9 - 0.891502) / 0.9).epsilon(1e-4));
  CHECK_FALSE(saving.has_interval);  // A came without one
}

TEST_CASE("an interval on one side of the break-even ratio resolves the sign") {
  Study study = two_options();
  study.options[0].perf.out_per_s = {1200, 1199.9, 1200.1, "", "", false, 0};
  study.options[1].perf.out_per_s = {1080, 1075, 1085, "", "", false, 0};
  CHECK(worked_out(study).pairs[0].saving.verdict == Verdict::cheaper);
  CHECK(worked_out(study).pairs[0].saving.has_interval);
  study.options[1].perf.out_per_s = {1060, 1055, 1065, "", "", false, 0};
  CHECK(worked_out(study).pairs[0].saving.verdict == Verdict::costlier);
}

TEST_CASE("T-UNC-1: the interval of a throughput is that of the cost, the other way round") {
  Study study = two_options("");
  change(study, 0, In::accelerators, 64);
  study.options[0].perf.out_per_s = {1200, 1200 * 0.985, 1200 * 1.012, "", "", false, 0};
  const OptionOutcome a = worked_out(study).options[0];
  CHECK(a.out_interval->lower == doctest::Approx(0.966378111).epsilon(1e-8));
  CHECK(a.out_interval->upper == doctest::Approx(0.992867663).epsilon(1e-8));
}

TEST_CASE("an input stated once for all is varied for all at once, one of an option's own for it alone") {
  const Study study =
      read_text(std::string(kHead) + "options:\n" + kOptionA + kOptionB + "demand: {accelerators_of_first: 1024}\n");
  Study changed = study;
  changed.options[0][In::pue]->quantity.low = 1.1;
  changed.options[1][In::pue]->quantity.low = 1.1;
  changed.options[1][In::price_acc]->quantity.low = 18000;
  const auto levers = resolved(changed).levers;
  REQUIRE(levers.size() == 2);
  CHECK(levers[0].id == In::pue);
  CHECK(levers[0].options == std::vector<std::size_t>{0, 1});
  CHECK(levers[0].is_shared);
  CHECK(levers[0].high == 1.30);  // the end that nobody stated is the value
  CHECK(levers[1].id == In::price_acc);
  CHECK(levers[1].options == std::vector<std::size_t>{1});
}

}  // namespace scoville::cost
