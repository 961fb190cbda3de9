#include "report/trace.hpp"

namespace scoville::report {
namespace {

using trace::OperatorRow;
using trace::OperatorTable;

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }
json::value whole_or_null(std::optional<std::uint64_t> count) {
  return count ? json::value(*count) : json::value(nullptr);
}

json::object kernel_json(const trace::KernelUse& use) {
  return {{"name", use.name},
          {"origin", std::string(trace::kOriginNames[static_cast<std::size_t>(use.origin.origin)])},
          {"library", text_or_null(use.origin.library)},
          {"calls", use.calls},
          {"time_ns", use.time.count()}};
}

json::object row_json(const OperatorRow& row) {
  json::object origins;
  for (std::size_t i = 0; i < row.origins.size(); ++i) {
    if (row.origins[i] > 0) origins[trace::kOriginNames[i]] = row.origins[i];
  }
  json::array kernels, evidence;
  for (const trace::KernelUse& each : row.kernels) kernels.push_back(kernel_json(each));
  for (const trace::Evidence& each : row.evidence) {
    evidence.push_back(json::object{{"code", each.code}, {"text", each.words.english}});
  }
  return {{"operator", row.name},
          {"kind", std::string(trace::kRowNames[static_cast<std::size_t>(row.kind)])},
          {"verdict", std::string(trace::kVerdictNames[static_cast<std::size_t>(row.verdict)])},
          {"device", text_or_null(row.device)},
          {"calls", whole_or_null(row.calls)},
          {"time_ns", nanos_or_null(row.time)},
          {"share", number_or_null(row.share)},
          {"host_total_ns", nanos_or_null(row.host_total)},
          {"host_self_ns", nanos_or_null(row.host_self)},
          {"device_total_ns", nanos_or_null(row.device_total)},
          {"device_self_ns", nanos_or_null(row.device_self)},
          {"origins", std::move(origins)},
          {"kernels", std::move(kernels)},
          {"evidence", std::move(evidence)}};
}

json::value shares_json(const std::optional<trace::StepShares>& shares) {
  if (!shares) return nullptr;
  return json::object{{"compute", shares->compute}, {"communication", shares->communication},
                      {"memory", shares->memory},   {"host", shares->host},
                      {"idle", shares->idle},       {"hidden_communication", shares->hidden_communication}};
}

json::value log_json(const std::optional<trace::LogFindings>& log) {
  if (!log) return nullptr;
  json::array offload, out_of_memory;
  for (const auto& [done, total] : log->offload) offload.push_back(json::array{done, total});
  for (const trace::LogFindings::OutOfMemory& each : log->out_of_memory) {
    out_of_memory.push_back(json::object{{"device", whole_or_null(each.device)}, {"bytes", whole_or_null(each.bytes)}});
  }
  return json::object{{"lines", log->lines},
                      {"fallback_lines", log->fallback_lines},
                      {"host_reads", whole_or_null(log->syncs)},
                      {"recompiles", whole_or_null(log->recompiles)},
                      {"offload", std::move(offload)},
                      {"preemption_lines", log->preemption_lines},
                      {"preemptions_at_least", log->preemptions_at_least},
                      {"preemption_modes", json::value_from(log->preemption_modes)},
                      {"retracted", log->retracted},
                      {"out_of_memory", std::move(out_of_memory)},
                      {"config_limits", log->config_limits},
                      {"engine_dead", log->is_engine_dead},
                      {"engine_dead_line", log->is_engine_dead ? json::value(log->dead_at_line) : json::value(nullptr)},
                      {"engine_dead_at", text_or_null(log->dead_at)},
                      {"http_500", log->http_500},
                      {"unused_kernels", json::value_from(log->unused_kernels)}};
}

}  // namespace

json::object trace_json(const OperatorTable& table) {
  json::array rows, devices;
  for (const OperatorRow& each : table.rows) rows.push_back(row_json(each));
  for (const trace::DeviceUse& each : table.per_device) {
    devices.push_back(json::object{
        {"device", each.name}, {"busy_ns", each.busy.count()}, {"kernel_time_ns", each.kernel_time.count()}});
  }
  return {{"source", table.source},
          {"kind", std::string(trace::kSourceNames[static_cast<std::size_t>(table.kind)])},
          {"backend", text_or_null(table.backend)},
          {"device_names", json::value_from(table.devices)},
          {"events", whole_or_null(table.events)},
          {"kernels", whole_or_null(table.kernels)},
          {"launches", whole_or_null(table.launches)},
          {"copies", whole_or_null(table.copies)},
          {"span_ns", nanos_or_null(table.span)},
          {"busy_ns", nanos_or_null(table.busy)},
          {"gap_ns", nanos_or_null(table.gap)},
          {"kernel_time_ns", nanos_or_null(table.kernel_time)},
          {"utilisation", number_or_null(table.utilisation)},
          {"shares", shares_json(table.shares)},
          {"devices", std::move(devices)},
          {"flags", json::value_from(table.flags)},
          {"cut_at_byte", whole_or_null(table.cut_at)},
          {"operators", std::move(rows)},
          {"log", log_json(table.log)}};
}

}  // namespace scoville::report
