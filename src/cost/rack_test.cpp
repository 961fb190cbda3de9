#include "cost/rack.hpp"

#include "cost/made_study.hpp"
#include "cost/training.hpp"

namespace scoville::cost {
namespace {

Plant made_plant(double kw_prov, double out_per_s) {
  Plant out;
  out[In::kw_prov] = kw_prov;
  out[In::out_per_s] = out_per_s;
  out[In::perf_scale] = 1;
  out[In::acc_per_node] = 8;
  return out;
}

}  // namespace

TEST_CASE("a rack of 40 kW feeds 30 accelerators of 1.30 kW: three nodes, and 64 of them take three racks") {
  Plant plant = made_plant(1.30, 1200);
  plant[In::rack_kw_limit] = 40;
  const RackCheck rack = rack_check(plant, fleet_of(plant, 64, Rounding::whole));
  CHECK(*rack.acc_per_rack == 30);
  CHECK(rack.node_fits);
  CHECK(*rack.racks == 3);
  CHECK(rack.kw_prov == doctest::Approx(83.2));
  plant[In::rack_kw_limit] = 10;  // a node takes 10.4
  CHECK_FALSE(rack_check(plant, fleet_of(plant, 64, Rounding::whole)).node_fits);
}

TEST_CASE("30 % more speed for 80 % more power is 0.722 of the throughput of a kW") {
  const Plant before = made_plant(1, 1000), after = made_plant(1.8, 1300);
  const auto per_kw = [](const Plant& plant) {
    return rack_check(plant, fleet_of(plant, 8, Rounding::whole)).out_per_s_per_kw;
  };
  CHECK(per_kw(after) / per_kw(before) == doctest::Approx(0.7222).epsilon(1e-4));
}

TEST_CASE("a room has its limit too") {
  Plant plant = made_plant(1.30, 1200);
  plant[In::power_kw_limit] = 80;
  CHECK_FALSE(rack_check(plant, fleet_of(plant, 64, Rounding::whole)).power_fits);
  CHECK(rack_check(plant, fleet_of(plant, 56, Rounding::whole)).power_fits);
}

TEST_CASE("spares of a Poisson stream, from its table") {
  CHECK(poisson_stock(1, 0.95) == 3);   // 0.3679 0.7358 0.9197 0.9810
  CHECK(poisson_stock(2, 0.95) == 5);   // …0.9473 0.9834
  CHECK(poisson_stock(5, 0.99) == 11);  // …0.9863 0.9945
  CHECK(poisson_stock(0.01, 0.95) == 0);
  CHECK(poisson_stock(2000, 0.95) > 2060);  // e^-2000 is no double; mean + 1.645 σ = 2073.6
  CHECK(poisson_stock(2000, 0.95) < 2090);
}

TEST_CASE("a lead time is held against the spares that are bought") {
  Plant plant = made_plant(1.3, 1200);
  plant[In::afr] = 0.0908;
  plant[In::spare_service_level] = 0.95;
  plant[In::spare_frac] = 0.03;
  CHECK_FALSE(spare_check(plant, fleet_of(plant, 64, Rounding::whole)));  // not said
  plant[In::spare_lead_weeks] = 12;
  const auto short_of = spare_check(plant, fleet_of(plant, 64, Rounding::whole));
  REQUIRE(short_of);
  CHECK(short_of->expected_failures == doctest::Approx(64 * 0.0908 * 84 * 24 / 8760));  // 1.337
  CHECK(short_of->needed == 3);
  CHECK(short_of->held == 2);
  CHECK_FALSE(short_of->is_enough());
  plant[In::spare_frac] = 0.05;
  CHECK(spare_check(plant, fleet_of(plant, 64, Rounding::whole))->is_enough());
}

TEST_CASE("T-ETTR-1: checkpoint intervals of Young and Daly, and the time that is left for work") {
  const Interruptions job{11135.0835, 60, 600};
  CHECK(young_interval(job) == doctest::Approx(1155.94551).epsilon(1e-8));
  CHECK(daly_interval(job) == doctest::Approx(1116.29155).epsilon(1e-8));
  CHECK(effective_time_ratio(job, young_interval(job)) == doctest::Approx(0.852498663).epsilon(1e-8));
  CHECK(effective_time_ratio(job, daly_interval(job)) == doctest::Approx(0.852550784).epsilon(1e-8));
  CHECK(effective_time_ratio(job, 3600) == doctest::Approx(0.787213336).epsilon(1e-8));
  const Interruptions small{49.4892601 * 3600, 60, 600};  // 1024 accelerators of that fleet
  CHECK(young_interval(small) == doctest::Approx(4623.78).epsilon(1e-6));
  CHECK(effective_time_ratio(small, young_interval(small)) == doctest::Approx(0.970994741).epsilon(1e-8));
  CHECK(daly_interval({30, 60, 1}) == 30);
}

TEST_CASE("a training fleet: its failures set the interval, and an hour of useful work costs more than an hour") {
  Study study = two_options("");
  change(study, 0, In::accelerators, 1024);
  change(study, 0, In::checkpoint_s, 60);
  change(study, 0, In::restart_s, 600);
  change(study, 0, In::storage_tb, 100);
  change(study, 0, In::price_tb_month, 20);
  const OptionOutcome a = worked_out(study).options[0];
  REQUIRE(a.training);
  CHECK(a.training->job.mtbi == doctest::Approx(31536000 / (1024 * 0.0908)));
  CHECK(a.annual[Part::storage] == doctest::Approx(24000));
  CHECK(*a.per_useful_acc_hour == doctest::Approx(*a.per_acc_hour / 0.6 / a.training->ratio_daly));
}

}  // namespace scoville::cost
