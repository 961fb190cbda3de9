#include "cli/calibration_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/session.hpp"
#include "text/catalogue.hpp"

namespace scoville::cli {
namespace {

using namespace std::chrono_literals;
using analyse::CalibrationPoint;
using analyse::Transport;
using text::Msg;
using text::say;

constexpr std::size_t kTokens = 40;  // of a request

/// To so many places as mean something; a number of few digits also comes back from a file as it was.
double rounded(double value, double places) { return std::round(value * places) / places; }
std::optional<double> rounded(std::optional<double> value, double places) {
  return value ? std::optional(rounded(*value, places)) : std::nullopt;
}

CalibrationPoint point_of(const GridPoint& asked, const analyse::Analysis& analysis) {
  CalibrationPoint point;
  point.setting = asked.setting;
  point.asked_per_s = asked.events_per_s;
  point.achieved_per_s = rounded(analysis.error_bound.events_per_s.value_or(0), 10);
  point.streams = asked.streams;
  point.n = analysis.emit->n;
  point.p50 = *analysis.emit->p50;
  point.p99 = *analysis.emit->p99;
  point.largest = *analysis.emit->largest;
  point.icl_error_sd_ns = rounded(analysis.emit->icl_error_sd_ns, 10);
  const analyse::Instrument& instrument = analysis.instrument;
  point.read_lag_p99 = instrument.read_lag.p99;
  point.send_lag_p99 = instrument.send_lag.p99;
  point.late_merged_share = rounded(instrument.late_merged_share, 1e6);
  point.has_kernel_stamps = instrument.has_kernel_stamps;
  point.verdict = instrument.verdict;
  for (const analyse::Doubt each : instrument.reasons) point.reasons.emplace_back(name_of(each));
  return point;
}

}  // namespace

Result<CalibrationPoint> measure_point(const GridPoint& point, const TemporaryFolder& folder) {
  const std::string gap = fmt::format("{}ns", point.gap.count());
  const bool uses_tls = point.setting.transport == Transport::tls;
  Result<BuiltInEndpoint> endpoint =
      BuiltInEndpoint::start(folder, {fmt::format("ttft={0},itl={0},tokens={1}", gap, kTokens), uses_tls, true});
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
  Result<Session> session = Session::open(target, load, store, std::nullopt);
  if (!session) return session.error();
  const Result<Measured> measured = session->measure("", false);
  if (!measured) return measured.error();
  if (!measured->analysis.emit) return Error{ErrorCode::protocol, say(Msg::calibrate_nothing)};
  return point_of(point, measured->analysis);
}

}  // namespace scoville::cli
