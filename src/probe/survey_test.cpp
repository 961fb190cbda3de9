#include "probe/survey.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace scoville::probe;

namespace {

json::object told() {
  return {{"probe", "fake"},
          {"asks", json::array{"gemm", "latency", "bandwidth"}},
          {"dtypes", json::array{"fp32"}},
          {"stack", json::object{{"lib", "1"}}},
          {"devices",
           json::array{json::object{{"id", "cuda:0"}, {"kind", "gpu"}, {"name", "Fake 1"}, {"llc_bytes", 1e9}}}}};
}

json::object timed(json::object row) {
  row["hot"] = {{"median_ns", 1000.0}, {"n", 10}};
  return row;
}

SurveyPlan plan(std::vector<Part> parts) {
  SurveyPlan plan;
  plan.device = "cuda";
  plan.level = Level::quick;
  plan.parts = std::move(parts);
  return plan;
}

}  // namespace

TEST_CASE("a device without a number is the first one of its name") {
  const Description one = read_description(told(), "cuda");
  CHECK(one.device_name() == "Fake 1");
  CHECK(one.kind("cuda") == "gpu");
  CHECK_FALSE(one.lacks_device());
  CHECK(read_description(told(), "xpu").lacks_device());
  CHECK_FALSE(read_description({{"probe", "x"}}, "xpu").lacks_device());  // says nothing of devices
}

TEST_CASE("what the probe does not answer is missing, and is not asked") {
  int asked = 0;
  const Survey found =
      survey(read_description(told(), "cuda"), plan({Part::copy, Part::attention}), [&](const Request&) {
        ++asked;
        return Outcome{};
      });
  CHECK(asked == 0);
  REQUIRE(found.missing.size() == 2);
  CHECK(found.missing[0].fault.reason == Reason::not_implemented);
  CHECK_FALSE(found.has_anything());
}

TEST_CASE("a probe that dies on one product is asked for those after it") {
  const Survey found = survey(read_description(told(), "cuda"), plan({Part::gemm}), [&](const Request& request) {
    Outcome outcome;
    for (const json::value& each : request.params.at("shapes").as_array()) {
      json::object row = each.as_object();
      row["dtype"] = "fp32";
      if (row["m"] == 4095) {
        outcome.fault = Fault{Reason::crash, "the probe was ended by Segmentation fault"};
        return outcome;
      }
      outcome.rows.push_back(timed(std::move(row)));
    }
    outcome.result = json::object{};
    return outcome;
  });
  CHECK(found.gemm.size() == built_in_shapes("gpu", Level::quick).gemm.size());
  std::size_t crashed = 0;
  for (const GemmPoint& each : found.gemm)
    crashed += each.fault && each.fault->reason == Reason::crash && each.m == 4095;
  CHECK(crashed == 1);
  CHECK(found.missing.empty());
}

TEST_CASE("one that always dies is not asked for ever") {
  int asked = 0;
  const Survey found = survey(read_description(told(), "cuda"), plan({Part::gemm}), [&](const Request&) {
    ++asked;
    Outcome outcome;
    outcome.fault = Fault{Reason::timeout, "nothing heard"};
    return outcome;
  });
  CHECK(asked == 5);
  CHECK(found.gemm.size() == 5);
  REQUIRE(found.missing.size() == 1);
  CHECK(found.missing[0].what == "fp32");
}

TEST_CASE("arrays are four times the last-level cache, within a twelfth of the memory") {
  std::vector<double> sizes;
  const auto ask = [&](const Request& request) {
    if (request.params.contains("operations") && request.params.at("operations").as_array().size() > 1) {
      sizes.push_back(request.params.at("bytes").as_array().at(0).to_number<double>());
    }
    Outcome outcome;
    outcome.result = json::object{};
    return outcome;
  };
  (void)survey(read_description(told(), "cuda"), plan({Part::bandwidth}), ask);
  json::object small = told();
  small["devices"].as_array()[0].as_object()["memory_bytes"] = 12 * 40960.0;
  (void)survey(read_description(small, "cuda"), plan({Part::bandwidth}), ask);
  REQUIRE(sizes.size() == 2);  // one kind of stores: an accelerator has no other
  CHECK(sizes[0] == 4e9);
  CHECK(sizes[1] == 40960);
}
