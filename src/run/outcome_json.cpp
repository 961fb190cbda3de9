#include "run/outcome_json.hpp"

#include "base/json_fields.hpp"

namespace scoville::run {
namespace {

template <class Archive, class Result>
void fields(Archive& archive, Result& result) {
  archive("start_ns", result.start);
  archive("end_ns", result.end);
  archive("steal_share", result.steal_share);
  archive("interrupted", result.was_interrupted);
  archive("drops", result.drops);
}

template <class Archive, class Report>
void loader_fields(Archive& archive, Report& report, std::vector<Nanos>& busy, std::vector<Nanos>& total) {
  archive("busy_ns", busy);
  archive("turned_ns", total);
  archive("peak_waiting_for_connection", report.peak_waiting_for_connection);
  archive("connections_opened", report.connections_opened);
  archive("clock_steps", report.clock_steps);
  archive("kernel_stamps", report.has_kernel_stamps);
  archive("reused_connections", report.reused_connections);
  archive("cpu_ns", report.cpu);
  archive("peak_in_flight", report.peak_in_flight);
  archive("turns_not_sent", report.turns_not_sent);
}

}  // namespace

json::object outcome_json(const RunResult& result) {
  JsonOut out;
  fields(out, result);
  json::object object = std::move(out).object();
  json::array loaders;
  for (const load::LoaderReport& each : result.loaders) {
    std::vector<Nanos> busy, total;
    for (const auto& second : each.busy_seconds) {
      busy.push_back(second.busy);
      total.push_back(second.total);
    }
    JsonOut loader;
    loader_fields(loader, each, busy, total);
    loaders.push_back(std::move(loader).object());
  }
  object["loaders"] = std::move(loaders);
  return object;
}

Status take_outcome(const json::value& outcome, RunResult& result) {
  if (outcome.is_null()) {
    result.was_interrupted = true;
    return Done{};
  }
  JsonIn in(outcome, "outcome");
  fields(in, result);
  if (Status status = in.status(); !status) return status;
  const json::value* const loaders = outcome.as_object().if_contains("loaders");
  if (!loaders || !loaders->is_array()) return Error{ErrorCode::invalid_argument, "outcome.loaders: expected a list"};
  for (const json::value& each : loaders->as_array()) {
    load::LoaderReport report;
    std::vector<Nanos> busy, total;
    JsonIn loader(each, "outcome.loaders");
    loader_fields(loader, report, busy, total);
    if (Status status = loader.status(); !status) return status;
    for (std::size_t i = 0; i < std::min(busy.size(), total.size()); ++i)
      report.busy_seconds.push_back({busy[i], total[i]});
    result.loaders.push_back(std::move(report));
  }
  return Done{};
}

}  // namespace scoville::run
