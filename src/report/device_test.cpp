#include "report/device.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "text/catalogue.hpp"
#include "text/width.hpp"

using namespace scoville;
using namespace scoville::report;

namespace {

probe::Times times(double median) {
  probe::Times out;
  out.median = out.p5 = out.p95 = out.min = median;
  out.samples = 10;
  return out;
}

probe::GemmPoint product(std::string label, double m, double n, double k, std::string dtype, double median,
                         double error) {
  probe::GemmPoint point;
  point.label = std::move(label);
  point.m = m;
  point.n = n;
  point.k = k;
  point.dtype = std::move(dtype);
  point.hot = times(median);
  point.rel_l2 = error;
  return point;
}

/// An H100 of 494.5 TFLOP/s in fp32 that turns out to be tf32, and 2 TB/s.
DeviceView view() {
  DeviceView out;
  out.survey.plan.device = "cuda:0";
  out.survey.description = probe::read_description(
      {{"probe", "fake"}, {"devices", json::array{json::object{{"id", "cuda:0"}, {"name", "NVIDIA H100 80GB HBM3"}}}}},
      "cuda:0");
  out.catalogued = *fit::built_in_devices().find("h100-sxm");
  // 8192^3 · 2 = 1.0995e12 operations
  out.survey.gemm = {product("square", 8192, 8192, 8192, "fp32", 1.0995e12 / 494.5e12 * 1e9, 2.9e-4),
                     product("square", 8192, 8192, 8192, "bf16", 1.0995e12 / 791.2e12 * 1e9, 2.9e-3),
                     product("roofline", 1, 8192, 8192, "bf16", 1e5, 2.9e-3)};
  probe::BandwidthPoint triad;
  triad.operation = "triad";
  triad.stores = "regular";
  triad.array_bytes = 1 << 30;
  triad.moved_bytes = 3.0 * (1 << 30);
  triad.hot = times(triad.moved_bytes / 2e12 * 1e9);
  out.survey.bandwidth = {triad};
  out.survey.missing = {{probe::Part::copy, "", {probe::Reason::not_implemented, ""}}};
  return out;
}

}  // namespace

TEST_CASE("shares are of the catalogue's dense peak, and fp32 in tf32 is said") {
  const json::object out = device_json(view());
  const json::array& best = out.at("gemm").at("best").as_array();
  REQUIRE(best.size() == 2);
  CHECK(best[1].at("dtype") == "bf16");
  CHECK(best[1].at("share_of_catalogue_peak").to_number<double>() ==
        doctest::Approx(0.8).epsilon(0.001));  // 791.2 of 989
  const json::object& fp32 = out.at("gemm").at("points").at(0).as_object();
  CHECK(fp32.at("computed_as") == "tf32");
  CHECK(fp32.at("precision") == "lower");
  const std::string table = device_table(view());
  CHECK(table.find("tf32↓") != std::string::npos);
  CHECK(table.find("80 %") != std::string::npos);
  CHECK(table.find("says nothing about a model") != std::string::npos);
  CHECK(table.find("copy: this probe does not answer it") != std::string::npos);
}

TEST_CASE("one token under the roof: a byte a FLOP, bound by memory") {
  const json::array lines = device_json(view()).at("roofline").as_array();
  const auto bf16 = std::ranges::find_if(lines, [](const json::value& each) { return each.at("dtype") == "bf16"; });
  REQUIRE(bf16 != lines.end());
  CHECK(bf16->at("ridge").to_number<double>() == doctest::Approx(791.2e12 / 2e12).epsilon(0.001));
  const json::object& point = bf16->at("points").at(0).as_object();
  // 2 · 8192² / (2 (8192 + 8192² + 8192))
  CHECK(point.at("intensity").to_number<double>() == doctest::Approx(8192.0 / 8194));
  CHECK(point.at("bound") == "memory");
}

TEST_CASE("lines fit a hundred columns in both languages") {
  for (const auto language : {text::Language::english, text::Language::chinese}) {
    text::set_language(language);
    std::istringstream lines(device_table(view()));
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(text::display_width(line) <= 100, line);
  }
  text::set_language(text::Language::english);
}

TEST_CASE("nothing measured is an empty document, not an error") {
  DeviceView empty;
  CHECK(device_json(empty).at("gemm").at("best").as_array().empty());
  CHECK(device_json(empty).at("catalogue").is_null());
  CHECK_FALSE(device_table(empty).empty());
}
