#include "cli/calibration_grid.hpp"

#include <doctest/doctest.h>

namespace scoville::cli {
namespace {
using namespace std::chrono_literals;
using analyse::Transport;
}  // namespace

TEST_CASE("the grid holds every rate for each number of threads and transport, slowest first") {
  const auto grid = calibration_grid(false, 2);
  REQUIRE(grid.size() == 20);  // 5 rates × 2 threads × 2 transports
  CHECK(grid[0].setting == analyse::CalibrationSetting{1, Transport::tcp});
  CHECK(grid[5].setting == analyse::CalibrationSetting{2, Transport::tcp});
  CHECK(grid[19].setting == analyse::CalibrationSetting{2, Transport::tls});
  for (std::size_t i = 0; i + 1 < grid.size(); ++i) {
    if (grid[i].setting == grid[i + 1].setting) CHECK(grid[i].events_per_s < grid[i + 1].events_per_s);
  }
}

TEST_CASE("streams, each with an event every gap, make the rate; no thread is without one") {
  for (const GridPoint& each : calibration_grid(false, 64)) {
    CHECK(static_cast<double>(each.streams) / to_seconds(each.gap) == doctest::Approx(each.events_per_s));
    CHECK(each.streams >= each.setting.threads);
  }
  CHECK(calibration_grid(false, 2)[2].streams == 100);  // 10,000/s at 10 ms
  CHECK(calibration_grid(false, 2)[5].gap == 20ms);     // two streams for two threads, 100/s together
}

TEST_CASE("each point of the whole grid lasts a second and long enough for a P99") {
  for (const GridPoint& each : calibration_grid(false, 2)) {
    CHECK(each.duration >= 1s);
    CHECK(to_seconds(each.duration) * each.events_per_s >= 662);
  }
}

TEST_CASE("on one processor, and in a quick one, there is one thread") {
  CHECK(calibration_grid(false, 1).size() == 10);
  CHECK(calibration_grid(true, 64).size() == 6);
}

}  // namespace scoville::cli
