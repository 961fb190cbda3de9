#include "cli/calibration_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/session.hpp"
#include "text/catalogue.hpp"

namespace scoville::cli {
namespace {

using namespace std::chrono_literals;
using analyse::CalibrationPoint;
using analyse::CalibrationSetting;
using analyse::Transport;
using text::Msg;
using text::say;

constexpr Nanos kGap = 10ms;
constexpr std::size_t kTokens = 40;           // of a request
constexpr double kEventsForP99 = 680;         // 662, and what the edges of a run cost
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

CalibrationPoint point_of(const GridPoint& asked, const analyse::Analysis& analysis) {
  CalibrationPoint point;
  point.setting = asked.setting;
  point.asked_per_s = asked.events_per_s;
  point.achieved_per_s = analysis.error_bound.events_per_s.value_or(0);
  point.streams = asked.streams;
  point.n = analysis.emit->n;
  point.p50 = *analysis.emit->p50;
  point.p99 = *analysis.emit->p99;
  point.largest = *analysis.emit->largest;
  point.icl_error_sd_ns = analysis.emit->icl_error_sd_ns;
  const analyse::Instrument& instrument = analysis.instrument;
  point.read_lag_p99 = instrument.read_lag.p99;
  point.send_lag_p99 = instrument.send_lag.p99;
  point.late_merged_share = instrument.late_merged_share;
  point.has_kernel_stamps = instrument.has_kernel_stamps;
  point.verdict = instrument.verdict;
  for (const analyse::Doubt each : instrument.reasons) point.reasons.emplace_back(name_of(each));
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

Result<CalibrationPoint> measure_point(const GridPoint& point, const TemporaryFolder& folder) {
  const std::string gap = fmt::format("{}ns", point.gap.count());
  const bool uses_tls = point.setting.transport == Transport::tls;
  Result<BuiltInEndpoint> endpoint = BuiltInEndpoint::start(
      folder, {fmt::format("ttft={0},itl={0},tokens={1}", gap, kTokens), uses_tls, true});
  if (!endpoint) return endpoint.error();
  TargetOptions target;
  target.set_base_url(endpoint->url());
  target.shape.ignore_eos = true;
  target.wire.tls.verify = !uses_tls;
  if (Status settled = target.settle(); !settled) return settled.error();
  LoadOptions load;
  const Status settled = settle_with(load, {{"--max-concurrency", std::to_string(point.streams)},
                                            {"--duration", fmt::format("{}ms", point.duration / 1ms)},
                                            {"--threads", std::to_string(point.setting.threads)},
                                            {"--num-warmups", "0"},
                                            {"--random-input-len", "32"},
                                            {"--random-output-len", std::to_string(kTokens)}});
  if (!settled) return settled.error();
  StoreOptions store;
  store.keep_nothing();
  Result<Session> session = Session::open(target, load, store);
  if (!session) return session.error();
  const Result<Measured> measured = session->measure("", false);
  if (!measured) return measured.error();
  if (!measured->analysis.emit) return Error{ErrorCode::protocol, say(Msg::calibrate_nothing)};
  return point_of(point, measured->analysis);
}

}  // namespace scoville::cli
