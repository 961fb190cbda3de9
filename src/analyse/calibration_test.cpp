#include "analyse/calibration.hpp"

#include <doctest/doctest.h>

#include "analyse/made_calibration.hpp"

namespace scoville::analyse {
namespace {
using namespace std::chrono_literals;

constexpr CalibrationSetting kPlain{1, Transport::tcp};

/// 100/s: 30 µs, 1,000/s: 10 µs, 10,000/s: 20 µs, 50,000/s: a bottleneck with 90 µs, 100,000/s: 5 µs again.
Calibration five_points() {
  Calibration made;
  made.points = {calibrated(kPlain, 100, 30us), calibrated(kPlain, 1000, 10us), calibrated(kPlain, 10000, 20us),
                 calibrated(kPlain, 50000, 90us), calibrated(kPlain, 100000, 5us)};
  made.points[3].verdict = Verdict::bottleneck;
  return made;
}

std::optional<Nanos> error_at(double rate) { return five_points().lookup(rate, kPlain).error; }

}  // namespace

TEST_CASE("between two rates the larger error of the two holds, whichever side it is on") {
  CHECK(error_at(500) == 30us);
  CHECK(error_at(5000) == 20us);
}

TEST_CASE("at a calibrated rate its own error holds") {
  CHECK(error_at(100) == 30us);
  CHECK(error_at(1000) == 10us);
  CHECK(error_at(10000) == 20us);
}

TEST_CASE("below the lowest rate its error holds") { CHECK(error_at(1) == 30us); }

TEST_CASE("the range ends before the first point at which the instrument was the bottleneck") {
  for (const double rate : {10000.1, 50000.0, 100000.0, 200000.0}) {
    const auto found = five_points().lookup(rate, kPlain);
    CHECK_FALSE(found.error.has_value());
    CHECK(found.reason == NoBound::beyond_rate);
  }
  CHECK(name_of(NoBound::beyond_rate) == "beyond the calibrated rate");
}

TEST_CASE("points are placed by the rate that was reached, not by the one that was asked for") {
  Calibration made = five_points();
  made.points[2].achieved_per_s = 800;            // asked for 10,000
  CHECK(made.lookup(900, kPlain).error == 20us);  // between 800 (20 µs) and 1,000 (10 µs)
  CHECK(made.lookup(1500, kPlain).reason == NoBound::beyond_rate);
}

TEST_CASE("another transport or number of threads is not calibrated, and says which") {
  Calibration made = five_points();
  CHECK(made.lookup(100, {1, Transport::tls}).reason == NoBound::other_transport);
  CHECK(made.lookup(100, {2, Transport::tcp}).reason == NoBound::other_threads);
  made.points.push_back(calibrated({2, Transport::tls}, 100, 70us));
  CHECK(made.lookup(100, {2, Transport::tls}).error == 70us);
  CHECK(made.lookup(100, kPlain).error == 30us);
  CHECK_FALSE(made.lookup(100, {2, Transport::tcp}).error.has_value());
}

TEST_CASE("a machine that was the bottleneck at the lowest rate is calibrated for nothing") {
  Calibration made = five_points();
  made.points[0].verdict = Verdict::bottleneck;
  CHECK(made.good_points(kPlain).empty());
  CHECK(made.lookup(1, kPlain).reason == NoBound::beyond_rate);
}

TEST_CASE("where events are too few for a P99 the largest error stands in for it") {
  CalibrationPoint point = calibrated(kPlain, 100, 30us);
  point.n = 662;
  CHECK(point.error() == 30us);
  point.n = 661;
  CHECK(point.error() == point.largest);
}

TEST_CASE("a calibration comes back from its JSON as it was") {
  Calibration made = five_points();
  made.machine = "a machine";
  made.made = 1735786800s;
  made.points[1].setting = {2, Transport::tls};
  made.points[1].icl_error_sd_ns = 1.5;
  made.points[1].read_lag_p99 = 15us;
  made.points[1].late_merged_share = 0.25;
  made.points[1].has_kernel_stamps = false;
  made.points[3].reasons = {"loop_busy", "steal"};
  const json::object once = to_json(made);
  const Result<Calibration> back = calibration_from(once);
  REQUIRE(back.ok());
  CHECK(to_json(*back) == once);
  CHECK(back->made == made.made);
  REQUIRE(back->points.size() == 5);
  CHECK(back->points[1].setting == CalibrationSetting{2, Transport::tls});
  CHECK(back->points[1].icl_error_sd_ns == 1.5);
  CHECK_FALSE(back->points[1].send_lag_p99.has_value());
  CHECK_FALSE(back->points[1].has_kernel_stamps);
  CHECK(back->points[3].verdict == Verdict::bottleneck);
  CHECK(back->points[3].reasons.size() == 2);
}

TEST_CASE("what is no calibration is an error that names the member") {
  CHECK(calibration_from(json::value("x")).error().message == "calibration: expected an object");
  CHECK(calibration_from(json::object()).error().message == "calibration.points: expected a list");
  json::object wrong = to_json(five_points());
  wrong["points"].as_array()[2].as_object()["transport"] = "pigeon";
  CHECK(calibration_from(wrong).error().message == "calibration.points.transport: expected a known name");
}

}  // namespace scoville::analyse
