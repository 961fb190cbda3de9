#include "report/launch_lines.hpp"

#include <algorithm>
#include <cstring>

#include "base/duration.hpp"
#include "report/cells.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {
namespace {

using event::LaunchEnding;
using text::Msg;
using text::say;

/// In both languages: it is kept.
text::Phrase how_it_ended(const LaunchEnding& ending) {
  if (ending.signal) return text::phrase(Msg::launch_ended_signal, *ending.signal, strsignal(*ending.signal));
  return ending.exit_code ? text::phrase(Msg::launch_ended_code, *ending.exit_code)
                          : text::phrase(Msg::launch_ended_unknown);
}

dataset::Warning crash_warning(const LaunchEnding& ending) {
  const text::Phrase how = how_it_ended(ending);
  const std::string at = format_duration(std::max(ending.since_start.value_or(Nanos::zero()), Nanos::zero()));
  return {"engine_crashed",
          {text::say_in(text::Language::english, Msg::doubt_engine_crashed, at, how.english),
           text::say_in(text::Language::chinese, Msg::doubt_engine_crashed, at, how.chinese)}};
}

}  // namespace

std::string launch_line(const BenchSubject& subject) {
  if (!subject.launch) return "";
  const event::LaunchRecord& launch = *subject.launch;
  return say(Msg::launch_line, span(launch.time_to_ready), span(launch.time_to_first_token), launch.log) + "\n";
}

std::string launch_range(const RunSet& set) {
  std::optional<Nanos> least, most;
  for (const RunOfSet& each : set.runs) {
    const auto& launch = each.subject.launch;
    if (!launch || !launch->is_per_run || !launch->time_to_ready) continue;
    least = std::min(least.value_or(*launch->time_to_ready), *launch->time_to_ready);
    most = std::max(most.value_or(*launch->time_to_ready), *launch->time_to_ready);
  }
  return least ? say(Msg::launch_range, span(least), span(most)) + "\n" : "";
}

bool crashed_in_run(const BenchSubject& subject) {
  return subject.launch && subject.launch->ending && subject.launch->ending->how == LaunchEnding::How::by_itself &&
         subject.launch->ending->in_run;
}

std::string launch_tail(const BenchSubject& subject) {
  if (!crashed_in_run(subject) || subject.launch->ending->log_tail.empty()) return "";
  std::string out = say(Msg::launch_tail_head, subject.launch->log) + "\n";
  for (const std::string& line : subject.launch->ending->log_tail) out += "  | " + line + "\n";
  return out;
}

std::vector<dataset::Warning> launch_warnings(const BenchSubject& subject) {
  std::vector<dataset::Warning> out;
  if (!subject.launch || !subject.launch->ending) return out;
  const LaunchEnding& ending = *subject.launch->ending;
  if (crashed_in_run(subject)) out.push_back(crash_warning(ending));
  if (ending.how == LaunchEnding::How::killed)
    out.push_back(dataset::make_warning("engine_killed", Msg::doubt_engine_killed, span(ending.stop_took)));
  const bool left_some = ending.how != LaunchEnding::How::killed && ending.killed_others > 0;
  if (left_some || ending.survivors > 0)
    out.push_back(
        dataset::make_warning("engine_left_processes", Msg::doubt_engine_left, ending.killed_others, ending.survivors));
  return out;
}

}  // namespace scoville::report
