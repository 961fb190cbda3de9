#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/units.hpp"

namespace scoville::event {

/// How an engine that we started came to its end.
struct LaunchEnding {
  enum class How {
    stopped,    ///< all of its processes ended when they were asked to
    killed,     ///< it had to be killed
    by_itself,  ///< nobody had asked it to
  };
  How how = How::stopped;
  std::optional<int> exit_code, signal;  ///< of its first process; both unknown where nobody could collect it
  Instant at{};                          ///< when its first process ended
  std::optional<Nanos> since_start;      ///< by_itself: the same from t = 0 of the run; negative: before it
  bool in_run = false;                   ///< by_itself: while the run's load was on
  std::optional<Nanos> stop_took;        ///< from asking until none of its processes was left
  std::int64_t killed_others = 0;        ///< processes it had left behind, and that had to be killed
  std::int64_t survivors = 0;            ///< processes that even KILL did not end
  std::vector<std::string> log_tail;     ///< by_itself: the last lines of its log
};
inline constexpr std::string_view kLaunchEndNames[] = {"stopped", "killed", "by_itself"};

/// An engine that was started for a measurement: what was started, and how that went. Secrets are masked.
struct LaunchRecord {
  std::string given;  ///< the command as the user wrote it; empty: a preset's
  std::string preset;
  std::int64_t preset_version = 0;
  std::vector<std::string> command;      ///< the words that were started
  std::vector<std::string> environment;  ///< "NAME=VALUE" that were added to ours
  std::string ready_path, log;
  /// From the start of the process until the first 2xx of `ready_path`: at most 20 ms, or 1 % of it, too late, for that
  /// is how often it is asked.
  std::optional<Nanos> time_to_ready;
  /// From the start of the process until the first token of the first generation that it was asked for. That is ours,
  /// sent as soon as it is ready: finding the model's name (one GET) lies between.
  std::optional<Nanos> time_to_first_token;
  bool is_per_run = false;             ///< it is started anew for each run of a set
  std::optional<LaunchEnding> ending;  ///< known only afterwards
};

/// As stored, and as the report has it: docs/formats/launch.md.
json::object launch_json(const LaunchRecord& record);
/// The error names the member at fault. A member that is missing keeps its default.
Result<LaunchRecord> launch_from(const json::value& value);
json::object ending_json(const LaunchEnding& ending);
Result<LaunchEnding> ending_from(const json::value& value);

}  // namespace scoville::event
