#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "probe/points.hpp"
#include "probe/session.hpp"
#include "probe/shape_set.hpp"

namespace scoville::probe {

/// The parts of a survey: the questions of the same names.
enum class Part { gemm, bandwidth, latency, copy, launch, attention };
inline constexpr std::size_t kPartCount = 6;
std::string_view name_of(Part part);

/// What a probe says of itself and of one of its devices.
struct Description {
  json::object told;  ///< as it was told
  std::string probe;
  json::object stack, device;  ///< empty device: the probe names none of that id
  std::vector<std::string> asks, dtypes;
  std::optional<int> threads;

  bool answers(std::string_view ask) const;
  /// "cpu", or what the probe says otherwise; "cpu" for a device of that name where it says nothing.
  std::string kind(const std::string& device_id) const;
  std::optional<double> last_cache_bytes() const;
  std::string device_name() const;  ///< empty: not told
  /// Whether it has told of devices, none of which is `device_id`.
  bool lacks_device() const { return device.empty() && has_devices; }
  bool has_devices = false;
};
/// `device_id` "cuda" is "cuda:0", too.
Description read_description(json::object told, const std::string& device_id);

/// What is to be measured.
struct SurveyPlan {
  std::string device = "cpu";
  Level level = Level::standard;
  std::vector<Part> parts;          ///< in this order
  std::vector<std::string> dtypes;  ///< empty: all that the probe has
  bool is_cold_too = false;
  std::size_t threads = 0;  ///< 0: the probe's own default
  Nanos silence = std::chrono::seconds(120);
};

/// Why there is nothing of a part, or less than was asked for.
struct Missing {
  Part part;
  std::string what;  ///< "bf16", "non_temporal"; empty: the whole part
  Fault fault;
};

/// Everything that was found. What a probe did not measure is in `missing`, or a point with a fault.
struct Survey {
  Description description;
  SurveyPlan plan;
  std::vector<std::string> dtypes;  ///< asked for
  std::vector<GemmPoint> gemm;
  std::vector<BandwidthPoint> bandwidth, sweep;  ///< sweep: one operation by size of its arrays
  std::vector<LatencyPoint> latency;
  std::vector<CopyPoint> copies;
  std::vector<LaunchPoint> launches;
  std::vector<AttentionPoint> attention;
  std::vector<Missing> missing;

  bool has_anything() const;
};

/// Asks of a session. Tests put a scripted one in its place.
using Asker = std::function<Outcome(const Request&)>;

/// All parts, one after the other. After a crash or a time-out the item that was due is a point with that fault, and
/// the rest is asked for anew; after five of them what is left of the part is missing. `is_over` ends it early.
Survey survey(
    const Description& description, const SurveyPlan& plan, const Asker& ask,
    const std::function<bool()>& is_over = [] { return false; });

}  // namespace scoville::probe
