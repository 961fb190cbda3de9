#include <algorithm>

#include "text/catalogue/trace.hpp"
#include "trace/collector.hpp"
#include "trace/event_stream.hpp"

namespace scoville::trace {
namespace {

using text::phrase;
using text::TraceMsg;

Nanos nanos(std::int64_t count) { return Nanos(count); }

void add_flags(OperatorTable& table, const StreamFaults& faults) {
  if (faults.cut_at) table.flags.push_back("truncated_trace");
  if (faults.damaged_at) table.flags.push_back("damaged_trace");
  if (faults.is_unclosed) table.flags.push_back("unclosed_trace");
  if (faults.is_nonstandard) table.flags.push_back("nonstandard_json");
  table.cut_at = faults.cut_at ? faults.cut_at : faults.damaged_at;
}

}  // namespace

KernelUse Collector::use_of(std::uint32_t name, const KernelSum& sum) {
  KernelUse use;
  use.name = names_.text(name);
  const auto [found, is_new] = origins_.try_emplace(name);
  if (is_new) found->second = rules_.origin_of(use.name);
  use.origin = found->second;
  use.calls = sum.calls;
  use.time = nanos(sum.time);
  return use;
}

OperatorRow Collector::operator_row(std::uint32_t name, const OperatorSum& sum) {
  OperatorRow row;
  row.name = names_.text(name);
  row.calls = sum.calls;
  row.host_total = nanos(sum.host_total);
  row.host_self = nanos(sum.host_self);
  row.device_total = nanos(sum.device_total);
  row.device_self = nanos(sum.device_self);
  bool has_kernel = false, is_on_device_cpu = false;
  for (const auto& [kernel, use] : sum.kernels) {
    row.kernels.push_back(use_of(kernel, use));
    is_on_device_cpu = is_on_device_cpu || facts(kernel).on_device_cpu;
    if (facts(kernel).is_copy) continue;
    has_kernel = true;
    row.origins[static_cast<std::size_t>(row.kernels.back().origin.origin)] += use.calls;
  }
  const bool fell_back = sum.moved_to_cpu + sum.copied_to_host > 0;
  if (sum.moved_to_cpu > 0) {
    row.evidence.push_back({"to_cpu", phrase(TraceMsg::trace_why_to_cpu, sum.moved_to_cpu, sum.calls)});
  }
  if (sum.copied_to_host > 0) {
    row.evidence.push_back(
        {"copy_to_host_without_kernel", phrase(TraceMsg::trace_why_copied, sum.copied_to_host, sum.calls)});
  }
  if (is_on_device_cpu) row.evidence.push_back({"on_device_cpu", phrase(TraceMsg::trace_why_device_cpu)});
  if (fell_back) {
    row.verdict = Verdict::fallback;
    row.device = "host";
    row.time = nanos(std::max(sum.fallback_time, sum.device_self));
  } else if (sum.calls_with_kernel > 0) {
    row.verdict = Verdict::supported;
    row.device = is_on_device_cpu ? "device_cpu" : "device";
    if (sum.device_self > 0 || has_kernel) row.time = row.device_self;
  } else if (sum.device_self > 0) {
    row.device = "device";
    const bool is_asked_for = rules_.copies_on_purpose(row.name) || rules_.reads_scalars(row.name);
    if (is_asked_for && !rules_.moves_to_cpu(row.name)) row.verdict = Verdict::supported;
    if (!rules_.moves_to_cpu(row.name)) row.time = row.device_self;  // else part of the time of what fell back
    row.evidence.push_back({"copies_only", phrase(TraceMsg::trace_why_copies_only)});
  } else {
    row.device = "host";
  }
  return row;
}

void Collector::add_kernel_row(OperatorTable& table, std::uint32_t name, const KernelSum& sum) {
  const NameFacts& known = facts(name);
  const KernelUse use = use_of(name, sum);
  OperatorRow row;
  row.name = use.name;
  row.kind = known.is_copy ? RowKind::copy : RowKind::kernel;
  row.verdict = known.is_copy ? Verdict::unknown : Verdict::supported;
  row.device = known.on_device_cpu ? "device_cpu" : "device";
  row.calls = use.calls;
  row.time = row.device_self = row.device_total = use.time;
  if (!known.is_copy) row.origins[static_cast<std::size_t>(use.origin.origin)] = use.calls;
  if (known.on_device_cpu) row.evidence.push_back({"on_device_cpu", phrase(TraceMsg::trace_why_device_cpu)});
  row.evidence.push_back({"no_operator", phrase(TraceMsg::trace_why_no_operator)});
  row.kernels = {use};
  table.rows.push_back(std::move(row));
}

void Collector::add_times(OperatorTable& table) {
  time_.close();
  const DeviceTime::Sums sums = time_.sums();
  if (sums.span.count() > 0) table.span = sums.span;
  if (sums.devices.empty()) return;
  table.busy = table.kernel_time = table.gap = Nanos(0);
  for (std::size_t i = 0; i < sums.devices.size(); ++i) {
    const DeviceTime::Device& each = sums.devices[i];
    *table.busy += each.busy;
    *table.kernel_time += each.kernel_time;
    *table.gap += each.gap;
    table.per_device.push_back({device_names_.text(static_cast<std::uint32_t>(i)), each.busy, each.kernel_time});
  }
  if (kernels_ == 0) return;  // copies alone: the records of kernels are missing, and nobody knows what was idle
  table.shares = sums.shares();
  if (table.span) {
    table.utilisation = to_seconds(*table.busy) / to_seconds(*table.span) / static_cast<double>(sums.devices.size());
  }
}

OperatorTable Collector::finish() {
  take_unnamed();
  OperatorTable table;
  const Links::Sums sums = links_.solve(names_, rules_, time_);
  for (const auto& [name, sum] : sums.operators) table.rows.push_back(operator_row(name, sum));
  for (const auto& [name, sum] : sums.unlinked) add_kernel_row(table, name, sum);
  add_times(table);
  table.backend = backend_;
  table.kernels = kernels_;
  table.launches = launches_;
  table.copies = copies_;
  const bool knows_devices = kernels_ > 0;
  if (!knows_devices) {
    table.flags.push_back("no_device_events");
    for (OperatorRow& row : table.rows) {
      if (row.verdict != Verdict::unknown || row.kind != RowKind::op) continue;
      row.time = row.host_self;
      row.device = "host";
      row.evidence = {{"no_device_events", phrase(TraceMsg::trace_why_no_device_events)}};
    }
  }
  if (has_odd_times_) table.flags.push_back("events_without_time");
  if (names_.is_full() || lanes_.is_full()) table.flags.push_back("names_beyond_limit");
  return table;
}

Result<OperatorTable> read_trace(const std::string& path, const Rules& rules) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source) return source.error();
  EventStream stream(**source);
  if (Status opened = stream.open(); !opened) return std::move(opened.error()).within(path);
  Collector collector(rules);
  TraceEvent event;
  for (;;) {
    Result<bool> more = stream.next(event);
    if (!more) return more.error();
    if (!*more) break;
    collector.take(event);
  }
  OperatorTable table = collector.finish();
  table.source = printable(path);
  table.kind = SourceKind::profiler_trace;
  table.events = stream.events();
  table.devices = stream.devices();
  add_flags(table, stream.faults());
  if (stream.events() == 0) table.flags.push_back("no_events");
  settle(table);
  return table;
}

}  // namespace scoville::trace
