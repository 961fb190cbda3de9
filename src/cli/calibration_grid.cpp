#include "cli/calibration_grid.hpp"

#include <algorithm>
#include <cmath>

namespace scoville::cli {
namespace {

using namespace std::chrono_literals;
using analyse::CalibrationSetting;
using analyse::Transport;

constexpr Nanos kGap = 10ms;
constexpr double kEventsForP99 = 680;  // 662, and what the edges of a run cost
constexpr double kEventsQuick = 250;

Nanos duration_of(double rate, bool is_quick) {
  const Nanos events = from_seconds((is_quick ? kEventsQuick : kEventsForP99) / rate);
  return std::max<Nanos>(is_quick ? 1100ms : 1400ms, events);  // one whole second, at least
}

GridPoint grid_point(const CalibrationSetting& setting, double rate, bool is_quick) {
  GridPoint point;
  point.setting = setting;
  point.events_per_s = rate;
  const double streams = std::max<double>(setting.threads, std::round(rate * to_seconds(kGap)));
  point.streams = static_cast<std::size_t>(streams);
  point.gap = from_seconds(streams / rate);
  point.duration = duration_of(rate, is_quick);
  return point;
}

}  // namespace

std::vector<GridPoint> calibration_grid(bool is_quick, unsigned processors) {
  const std::vector<double> rates =
      is_quick ? std::vector<double>{100, 1000, 10000} : std::vector<double>{100, 1000, 10000, 50000, 100000};
  std::vector<GridPoint> grid;
  for (const Transport transport : {Transport::tcp, Transport::tls}) {
    for (unsigned threads = 1; threads <= (is_quick ? 1 : std::min(2U, std::max(1U, processors))); ++threads) {
      for (const double rate : rates) grid.push_back(grid_point({threads, transport}, rate, is_quick));
    }
  }
  return grid;
}

}  // namespace scoville::cli
