#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyse/instrument.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "base/units.hpp"

namespace scoville::analyse {

/// How the bytes of a run came. The names are those of the files.
enum class Transport { tcp, tls, unix_socket };
inline constexpr std::array<std::string_view, 3> kTransportNames{"tcp", "tls", "unix"};
std::string_view name_of(Transport transport);

/// What decides how far a stamp errs, besides the rate of events.
struct CalibrationSetting {
  unsigned threads = 1;
  Transport transport = Transport::tcp;
  bool operator==(const CalibrationSetting&) const = default;
};

/// One load against the scripted endpoint, whose events carry the time at which they were sent.
struct CalibrationPoint {
  CalibrationSetting setting;
  double asked_per_s = 0, achieved_per_s = 0;  ///< token events a second; achieved: as ErrorPool counts them
  std::size_t streams = 0;
  std::size_t n = 0;              ///< token events
  Nanos p50{}, p99{}, largest{};  ///< of arrival stamp − emit time
  std::optional<double> icl_error_sd_ns;
  std::optional<Nanos> read_lag_p99, send_lag_p99;
  std::optional<double> late_merged_share;
  bool has_kernel_stamps = true;
  Verdict verdict = Verdict::ok;
  std::vector<std::string> reasons;  ///< of the verdict

  bool is_good() const { return verdict != Verdict::bottleneck; }
  /// P99, or the largest where there are too few events for a P99.
  Nanos error() const;
};

/// Why there is no error bound. The names are sentences of the JSON.
enum class NoBound {
  none,
  not_calibrated,
  other_transport,
  other_threads,
  beyond_rate,  ///< faster than the fastest point at which the instrument kept up
  no_stamps,    ///< calibrated with kernel stamps, and this run had none
  bottleneck,
  no_events,
};
std::string_view name_of(NoBound reason);

/// How far the arrival stamps of this machine err: the instrument held against an endpoint that knows when it sent.
///
/// From the endpoint's reading of the clock before its send() to our stamp: that send(), and under TLS the encryption,
/// are in it, so it bounds the error of the stamp from above. Always positive.
struct Calibration {
  std::string machine;                   ///< processor, kernel, method; no host name
  Nanos made{};                          ///< wall clock, since 1970
  std::vector<CalibrationPoint> points;  ///< of one setting together, by the rate that was asked for

  struct Found {
    std::optional<Nanos> error;
    NoBound reason = NoBound::none;
  };
  /// The error at this rate of token events. Between two points the larger of theirs, below the lowest the lowest's;
  /// never an interpolation, which would be a guess.
  Found lookup(double events_per_s, const CalibrationSetting& setting) const;

  bool has_kernel_stamps() const;

  /// The points of a setting in which the instrument kept up: those asked for before the first in which it did not.
  std::vector<CalibrationPoint> good_points(const CalibrationSetting& setting) const;
};

json::object to_json(const Calibration& calibration);
Result<Calibration> calibration_from(const json::value& value);

}  // namespace scoville::analyse
