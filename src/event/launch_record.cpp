#include "event/launch_record.hpp"

#include "base/json_fields.hpp"

namespace scoville::event {
namespace {

template <class Archive, class Ending>
void ending_fields(Archive& archive, Ending& ending) {
  archive.named("how", ending.how, kLaunchEndNames);
  archive("exit_code", ending.exit_code);
  archive("signal", ending.signal);
  archive("at_monotonic_ns", ending.at);
  archive("since_start_ns", ending.since_start);
  archive("in_run", ending.in_run);
  archive("stop_took_ns", ending.stop_took);
  archive("killed_others", ending.killed_others);
  archive("survivors", ending.survivors);
  archive("log_tail", ending.log_tail);
}

template <class Archive, class Record>
void launch_fields(Archive& archive, Record& record) {
  archive("given", record.given);
  archive("preset", record.preset);
  archive("preset_version", record.preset_version);
  archive("command", record.command);
  archive("environment", record.environment);
  archive("ready", record.ready_path);
  archive("log", record.log);
  archive("time_to_ready_ns", record.time_to_ready);
  archive("time_to_first_token_ns", record.time_to_first_token);
  archive("per_run", record.is_per_run);
}

}  // namespace

json::object ending_json(const LaunchEnding& ending) {
  JsonOut out;
  ending_fields(out, ending);
  return std::move(out).object();
}

Result<LaunchEnding> ending_from(const json::value& value) {
  LaunchEnding ending;
  JsonIn in(value, "ending");
  ending_fields(in, ending);
  if (Status status = in.status(); !status) return status.error();
  return ending;
}

json::object launch_json(const LaunchRecord& record) {
  JsonOut out;
  launch_fields(out, record);
  json::object object = std::move(out).object();
  if (record.ending) object["ending"] = ending_json(*record.ending);
  return object;
}

Result<LaunchRecord> launch_from(const json::value& value) {
  LaunchRecord record;
  JsonIn in(value, "launch");
  launch_fields(in, record);
  if (Status status = in.status(); !status) return status.error();
  const json::value* const ending = value.as_object().if_contains("ending");
  if (!ending || ending->is_null()) return record;
  Result<LaunchEnding> read = ending_from(*ending);
  if (!read) return std::move(read.error()).within("launch");
  record.ending = std::move(*read);
  return record;
}

}  // namespace scoville::event
