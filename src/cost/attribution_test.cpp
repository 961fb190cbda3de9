#include "cost/attribution.hpp"

#include "cost/made_study.hpp"

namespace scoville::cost {
namespace {

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(1e-8); }

}  // namespace

TEST_CASE("T-COST-1: accelerator time from two mixes, and the parts add up to the bill") {
  const std::array<Mix, 2> mixes{Mix{3600, 1200}, Mix{9000, 700}};
  const auto times = solve_mixes(mixes);
  REQUIRE(times);
  CHECK(times->in == near(6.03864734e-5));
  CHECK(times->out == near(6.52173913e-4));
  Perf perf;
  perf.mixes.assign(mixes.begin(), mixes.end());
  const auto share = input_time_share(perf, 3600, 1200);
  REQUIRE(share);
  CHECK(*share == near(0.217391304));
  const Volumes volumes{1399744.36, 4199233.07, 0};
  const auto costs = unit_costs(Method::accelerator_time, 1368914.50, volumes, {share, std::nullopt});
  REQUIRE(costs);
  CHECK(*costs->in == near(0.0708677281));
  CHECK(*costs->out == near(0.765371464));
  CHECK(*costs->in * volumes.in + *costs->out * volumes.out == near(1368914.50));
}

TEST_CASE("three mixes: least squares") {
  const auto times = solve_mixes(std::array<Mix, 3>{Mix{3600, 1200}, Mix{9000, 700}, Mix{1000, 1450}});
  REQUIRE(times);
  CHECK(times->in == doctest::Approx(6.07293e-5).epsilon(1e-6));
  CHECK(times->out == doctest::Approx(6.48976e-4).epsilon(1e-6));
}

TEST_CASE("mixes of one proportion, one mix, and mixes that contradict each other say nothing") {
  CHECK_FALSE(solve_mixes(std::array<Mix, 2>{Mix{3600, 1200}, Mix{1800, 600}}));
  CHECK_FALSE(solve_mixes(std::array<Mix, 1>{Mix{3600, 1200}}));
  CHECK_FALSE(solve_mixes(std::array<Mix, 2>{Mix{1000, 1000}, Mix{4000, 2000}}));
}

TEST_CASE("T-COST-1: by a price list") {
  const Volumes volumes{1399744.36, 4199233.07, 0};
  const auto costs =
      unit_costs(Method::price_weighted, 1368914.50, volumes, {std::nullopt, PriceList{0.55, 2.19, std::nullopt}});
  REQUIRE(costs);
  CHECK(*costs->out == near(0.557751166));
  CHECK(*costs->in == near(0.140074494));
  CHECK_FALSE(costs->cached);
}

TEST_CASE("T-COST-2: a published day, by all four methods, cached input as a class of its own") {
  const Study study = read_text(
      "currency: USD\nwacc: 0\nhorizon_years: 1\nattribution_prices: {in: 0.55, cached: 0.14, out: 2.19}\n"
      "options:\n- {name: D, kind: rented, accelerators: 1814, acc_per_node: 8, price_acc_hour: 2, licence_acc_year: "
      "0,\n"
      "   perf: {served: {mtok_out: 168000, mtok_in: 608000, per: day}, cached_share: 0.5625,\n"
      "          phase_rates: {in_per_s: 73700, out_per_s: 14800}}}\n");
  const OptionOutcome d = worked_out(study).options[0];
  CHECK(d.annual.total() / 365 == near(87072));
  CHECK(d.volumes.out / 365 == near(168000));
  CHECK(d.volumes.cached / 365 == near(342000));
  REQUIRE(d.methods.size() == 4);
  CHECK(*d.methods[0].second.blended == near(0.112206186));
  CHECK(*d.methods[1].second.out == near(0.518285714));
  CHECK(*d.methods[1].second.in == near(0.143210526));
  CHECK(*d.input_time_share == near(0.420879326));
  CHECK(*d.methods[2].second.in == near(0.0602743499));
  CHECK(*d.methods[2].second.out == near(0.300149972));
  CHECK_FALSE(d.methods[2].second.cached);  // time was not measured apart for it
  CHECK(*d.methods[3].second.out == near(0.339241558));
  CHECK(*d.methods[3].second.in == near(0.0851976517));
  CHECK(*d.methods[3].second.cached == near(0.0216866750));
}

TEST_CASE("one method for all fleets: the one asked for, else accelerator time, a price list, all tokens alike") {
  const auto used = [](const std::string& head, const std::string& perf) {
    std::string option =
        "- {name: R, kind: rented, accelerators: 8, acc_per_node: 8, price_acc_hour: 2, util: 0.5, perf: " + perf +
        "}\n";
    return worked_out(read_text("currency: USD\n" + head + "options:\n" + option));
  };
  const std::string bare = "{out_per_s: 10, in_per_s: 30}";
  const std::string split = "{out_per_s: 10, in_per_s: 30, prefill_share: 0.2}";
  CHECK(*used("", bare).options[0].used == Method::blended);
  CHECK(*used("", split).options[0].used == Method::accelerator_time);
  CHECK(*used("attribution_prices: {in: 1, out: 4}\n", bare).options[0].used == Method::price_weighted);
  CHECK(*used("attribution: full\n", split).options[0].used == Method::full);
  const Outcome asked = used("attribution: accelerator_time\n", bare);
  REQUIRE(asked.missing.size() == 1);
  CHECK(asked.missing[0].path == "perf.mixes");
}

}  // namespace scoville::cost
