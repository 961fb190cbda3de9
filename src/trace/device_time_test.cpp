#include "trace/device_time.hpp"

#include <doctest/doctest.h>

namespace scoville::trace {
namespace {

TEST_CASE("each instant of the step belongs to one share, the first that applies") {
  DeviceTime
      time;  // 0 to 100: compute 0-30, communication 20-50, copy 45-60, host 55-80, nothing 80-90, compute 90-100
  time.add(0, 90, 10, Work::compute);
  time.add(0, 20, 30, Work::communication);
  time.add(0, 45, 15, Work::memory);
  time.add_host(55, 25);
  time.add(0, 0, 30, Work::compute);
  time.close();
  const DeviceTime::Sums sums = time.sums();
  CHECK(sums.span == Nanos(100));
  REQUIRE(sums.devices.size() == 1);
  CHECK(sums.devices[0].busy == Nanos(70));
  CHECK(sums.devices[0].kernel_time == Nanos(70));  // 30 + 30 + 10, overlap counted twice
  CHECK(sums.devices[0].gap == Nanos(30));
  const auto shares = sums.shares();
  REQUIRE(shares);
  CHECK(shares->compute == doctest::Approx(0.40));
  CHECK(shares->communication == doctest::Approx(0.20));  // 30-50
  CHECK(shares->memory == doctest::Approx(0.10));         // 50-60
  CHECK(shares->host == doctest::Approx(0.20));           // 60-80
  CHECK(shares->idle == doctest::Approx(0.10));
  CHECK(shares->hidden_communication == doctest::Approx(0.10));  // 20-30
}

TEST_CASE("two devices: each has its own idle time, and the shares are their mean") {
  DeviceTime time;
  time.add(0, -10, 20, Work::compute);
  time.add(1, 0, 5, Work::compute);
  time.close();
  const DeviceTime::Sums sums = time.sums();
  CHECK(sums.span == Nanos(20));
  REQUIRE(sums.devices.size() == 2);
  CHECK(sums.devices[1].busy == Nanos(5));
  CHECK(sums.shares()->compute == doctest::Approx(25.0 / 40));
  CHECK(sums.shares()->idle == doctest::Approx(15.0 / 40));
}

TEST_CASE("no device worked: no shares are claimed") {
  DeviceTime time;
  time.add_host(0, 10);
  time.close();
  CHECK_FALSE(time.sums().shares());
}

}  // namespace
}  // namespace scoville::trace
