#include "report/calibration_table.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <ctime>

#include "base/duration.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"

namespace scoville::report {
namespace {

using analyse::Calibration;
using analyse::CalibrationPoint;
using analyse::NoBound;
using analyse::Transport;
using analyse::Verdict;
using text::Msg;
using text::say;

std::string span(std::optional<Nanos> value) { return value ? format_duration(*value) : "–"; }

std::string verdict_of(const CalibrationPoint& point) {
  const std::string words = say(point.verdict == Verdict::ok        ? Msg::instrument_ok
                                : point.verdict == Verdict::suspect ? Msg::instrument_suspect
                                                                    : Msg::instrument_bottleneck);
  return point.reasons.empty() ? words : fmt::format("{}: {}", words, fmt::join(point.reasons, ", "));
}

std::string rows(const Calibration& calibration) {
  text::Table table({say(Msg::column_calibrated), say(Msg::column_events), say(Msg::column_streams), "n", "P50", "P99",
                     say(Msg::column_max), say(Msg::column_icl_sd), say(Msg::column_read_lag),
                     say(Msg::column_instrument)});
  table.flush_left(9);
  for (const CalibrationPoint& each : calibration.points) {
    const auto sd = each.icl_error_sd_ns ? std::optional(Nanos(std::llround(*each.icl_error_sd_ns))) : std::nullopt;
    table.add_row({describe(each.setting), grouped(each.achieved_per_s), fmt::format("{}", each.streams),
                   grouped(static_cast<double>(each.n)), span(each.p50), span(each.p99), span(each.largest), span(sd),
                   span(each.read_lag_p99), verdict_of(each)});
  }
  return table.render();
}

/// "plain TCP, 1 thread: up to 10,000 events/s, at most 12 µs; …".
std::string ranges(const Calibration& calibration) {
  std::string out;
  for (std::size_t i = 0; i < calibration.points.size(); ++i) {
    const analyse::CalibrationSetting& setting = calibration.points[i].setting;
    if (i > 0 && setting == calibration.points[i - 1].setting) continue;
    double fastest = 0;
    Nanos error{};
    for (const CalibrationPoint& each : calibration.good_points(setting)) {
      fastest = std::max(fastest, each.achieved_per_s);
      error = std::max(error, each.error());
    }
    out += i > 0 ? "; " : "";
    out += fastest > 0 ? say(Msg::calibrated_range, describe(setting), grouped(fastest), format_duration(error))
                       : say(Msg::calibrated_not, describe(setting));
  }
  return out;
}

Msg words_of(NoBound reason) {
  switch (reason) {
    case NoBound::none:
    case NoBound::not_calibrated:
      return Msg::bound_not_calibrated;
    case NoBound::other_transport:
      return Msg::bound_other_transport;
    case NoBound::other_threads:
      return Msg::bound_other_threads;
    case NoBound::beyond_rate:
      return Msg::bound_beyond_rate;
    case NoBound::no_stamps:
      return Msg::bound_no_stamps;
    case NoBound::bottleneck:
      return Msg::bound_bottleneck;
    case NoBound::no_events:
      return Msg::bound_no_events;
  }
  return Msg::bound_not_calibrated;
}

}  // namespace

std::string grouped(double number) {
  const std::string digits = fmt::format("{:.0f}", number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string describe(const analyse::CalibrationSetting& setting) {
  const std::string transport = setting.transport == Transport::tls   ? "TLS"
                                : setting.transport == Transport::tcp ? say(Msg::transport_tcp)
                                                                      : "unix";
  return say(setting.threads == 1 ? Msg::calibrated_thread : Msg::calibrated_threads, transport, setting.threads);
}

std::string describe(const analyse::ErrorBound& bound) {
  const std::string rate = bound.events_per_s ? grouped(*bound.events_per_s) : "–";
  if (bound.reason == NoBound::none)
    return say(Msg::bound_given, rate, span(bound.ttft), span(bound.tpot), span(bound.icl), span(bound.e2e));
  return say(Msg::bound_missing, say(words_of(bound.reason), rate));
}

std::string calibration_table(const Calibration& calibration) {
  const auto made = static_cast<std::time_t>(to_seconds(calibration.made));
  return say(Msg::calibrated_head, calibration.machine, fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(made))) +
         "\n\n" + rows(calibration) + "\n" + say(Msg::calibrated_what) + "\n" +
         say(Msg::calibrated_for, ranges(calibration)) + "\n";
}

}  // namespace scoville::report
