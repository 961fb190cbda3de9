#pragma once

#include <functional>
#include <string>
#include <vector>

#include "probe/figures.hpp"
#include "report/device.hpp"

namespace scoville::report {

inline constexpr std::size_t kDeviceWidth = 100;

/// Marks that the tables have used, to be explained below them.
class Marks {
 public:
  /// "~", "!", both or nothing: noisy, oversubscribed.
  std::string of(const probe::Point& point);
  /// "↓", "↑" or "✗": computed in less, in more, or wrong.
  std::string of(probe::Precise precise);
  /// A line for each that was used.
  std::string explained() const;

 private:
  bool noisy_ = false, oversubscribed_ = false, lower_ = false, higher_ = false, wrong_ = false;
};

/// A table of shapes by types: `cell` of each, four types side by side and the others below. Rows in the order of
/// `shapes`.
std::string by_type(const std::string& first_column, const std::vector<std::string>& shapes,
                    const std::vector<std::string>& dtypes, const std::vector<std::string>& units,
                    const std::function<std::string(const std::string& shape, const std::string& dtype)>& cell);

std::string shape_text(const probe::GemmPoint& point);
/// "unsupported", in the language; of a time-out or crash too.
std::string reason_text(probe::Reason reason);
/// "TFLOP/s", "TOP/s" of whole numbers.
std::string unit_of(std::string_view dtype);
/// "97 %"; "–" where it is not known.
std::string share_text(std::optional<double> share);
/// "64 KiB".
std::string binary_size(double bytes);

// The parts, each with its heading, empty where nothing was measured.
std::string device_gemm(const DeviceView& view, Marks& marks);
std::string device_attention(const DeviceView& view, Marks& marks);
std::string device_specialisation(const DeviceView& view);
std::string device_bandwidth(const DeviceView& view, Marks& marks);
std::string device_latency(const DeviceView& view, Marks& marks);
std::string device_copies(const DeviceView& view, Marks& marks);
std::string device_launches(const DeviceView& view, Marks& marks);
std::string device_roofline(const DeviceView& view);

}  // namespace scoville::report
