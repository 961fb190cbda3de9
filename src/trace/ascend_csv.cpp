#include "trace/ascend_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "dataset/csv.hpp"
#include "text/catalogue/trace.hpp"
#include "trace/byte_source.hpp"
#include "trace/decimal.hpp"
#include "trace/device_time.hpp"

namespace scoville::trace {
namespace {

using text::phrase;
using text::say;
using text::TraceMsg;
using Fields = std::vector<std::string>;
constexpr std::size_t kLongestRecord = 1 << 20;
using Column = std::optional<std::size_t>;

/// The first of several names that the head has.
Column any_column(const Fields& head, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const Column found = dataset::column(head, name)) return found;
  }
  return std::nullopt;
}

/// Where what stands. kernel_details.csv and op_summary.csv name the same columns differently.
struct Columns {
  Column name, type, core, begin, length, count, total, device;

  explicit Columns(const Fields& head)
      : name(any_column(head, {"Name", "Op Name"})),
        type(any_column(head, {"Type", "OP Type"})),
        core(any_column(head, {"Accelerator Core", "Core Type", "Task Type"})),
        begin(any_column(head, {"Start Time(us)", "Task Start Time(us)"})),
        length(any_column(head, {"Duration(us)", "Task Duration(us)"})),
        count(any_column(head, {"Count"})),
        total(any_column(head, {"Total Time(us)"})),
        device(any_column(head, {"Device_id", "Device Id"})) {}

  bool is_kernel_list() const { return name && type && length; }
  bool is_statistic() const { return type && count && total; }
};

/// The fields of one record.
Fields fields_of(std::string_view record) {
  dataset::CsvReader reader(record);
  return reader.next() ? reader.fields() : Fields();
}

std::string_view cell(const Fields& fields, Column column) {
  return column && *column < fields.size() ? dataset::trimmed(fields[*column]) : std::string_view();
}

bool is_empty_cell(std::string_view text) { return text.empty() || text == "N/A" || text == "NA"; }

struct TypeSum {
  std::uint64_t calls = 0;
  std::int64_t time = 0;
  bool on_device_cpu = false, is_communication = false;
  std::map<std::string, KernelUse> kernels;
};

/// Rows of one file into sums of each type of operator.
class AscendList {
 public:
  AscendList(const Columns& columns, const Rules& rules) : columns_(columns), rules_(rules) {}

  void take(const Fields& fields) {
    if (!(columns_.is_kernel_list() ? take_task(fields) : take_type(fields))) ++left_out_;
  }

  OperatorTable finish() {
    OperatorTable table;
    table.backend = "npu";
    for (const auto& [type, sum] : sums_) table.rows.push_back(row(type, sum));
    if (columns_.is_kernel_list()) {
      table.kind = SourceKind::kernel_list;
      table.events = tasks_;
      table.kernels = tasks_ - copies_;
      table.copies = copies_;
      add_times(table);
    } else {
      table.kind = SourceKind::operator_statistic;
    }
    if (left_out_ > 0) table.flags.push_back("rows_left_out");
    settle(table);
    return table;
  }

 private:
  bool take_task(const Fields& fields) {
    const std::optional<std::int64_t> length = nanos_of_micros(cell(fields, columns_.length));
    const std::string name(cell(fields, columns_.name));
    if (!length || *length < 0 || name.empty()) return false;
    const std::string_view core = cell(fields, columns_.core);
    const AscendTask task = is_empty_cell(core) ? AscendTask::kernel : rules_.ascend_task(core);
    if (task == AscendTask::no_work) return true;
    const std::string_view type_cell = cell(fields, columns_.type);
    TypeSum& sum = sums_[is_empty_cell(type_cell) ? name : std::string(type_cell)];
    KernelUse& use = sum.kernels[name];
    if (use.calls == 0) {
      use.name = name;
      use.origin = rules_.origin_of(name);
      sum.is_communication =
          sum.is_communication || rules_.is_communication(name) || core == "HCCL" || core == "COMMUNICATION";
    }
    ++use.calls;
    use.time += Nanos(*length);
    add(sum, 1, *length, task);
    ++tasks_;
    if (task == AscendTask::copy) ++copies_;
    const Work work = task == AscendTask::copy ? Work::memory
                      : sum.is_communication   ? Work::communication
                                               : Work::compute;
    if (const auto begin = nanos_of_micros(cell(fields, columns_.begin))) {
      time_.add(device(cell(fields, columns_.device)), *begin, *length, work);
    }
    return true;
  }

  bool take_type(const Fields& fields) {
    const std::optional<std::int64_t> count = parse_decimal(cell(fields, columns_.count), 0);
    const std::optional<std::int64_t> total = nanos_of_micros(cell(fields, columns_.total));
    const std::string type(cell(fields, columns_.type));
    if (!count || !total || *count < 0 || *total < 0 || type.empty()) return false;
    TypeSum& sum = sums_[type];
    sum.is_communication = rules_.is_communication(type);
    const std::string_view core = cell(fields, columns_.core);
    add(sum, static_cast<std::uint64_t>(*count), *total,
        is_empty_cell(core) ? AscendTask::kernel : rules_.ascend_task(core));
    KernelUse& use = sum.kernels[type];
    use.name = type;
    use.origin = rules_.origin_of(type);
    use.calls = sum.calls;
    use.time = Nanos(sum.time);
    return true;
  }

  static void add(TypeSum& sum, std::uint64_t calls, std::int64_t time, AscendTask task) {
    sum.calls += calls;
    sum.time += time;
    sum.on_device_cpu = sum.on_device_cpu || task == AscendTask::device_cpu;
  }

  std::uint32_t device(std::string_view name) {
    const auto found = std::find(devices_.begin(), devices_.end(), name);
    if (found != devices_.end()) return static_cast<std::uint32_t>(found - devices_.begin());
    devices_.emplace_back(name);
    return static_cast<std::uint32_t>(devices_.size() - 1);
  }

  OperatorRow row(const std::string& type, const TypeSum& sum) const {
    OperatorRow out;
    out.name = type;
    out.verdict = Verdict::supported;
    out.device = sum.on_device_cpu ? "device_cpu" : "device";
    out.calls = sum.calls;
    out.time = out.device_self = out.device_total = Nanos(sum.time);
    for (const auto& [_, use] : sum.kernels) {
      out.kernels.push_back(use);
      out.origins[static_cast<std::size_t>(use.origin.origin)] += use.calls;
    }
    if (sum.on_device_cpu) out.evidence.push_back({"on_device_cpu", phrase(TraceMsg::trace_why_device_cpu)});
    return out;
  }

  void add_times(OperatorTable& table) {
    time_.close();
    const DeviceTime::Sums sums = time_.sums();
    if (sums.devices.empty() || sums.span.count() <= 0) return;
    table.span = sums.span;
    table.busy = table.kernel_time = table.gap = Nanos(0);
    for (std::size_t i = 0; i < sums.devices.size(); ++i) {
      *table.busy += sums.devices[i].busy;
      *table.kernel_time += sums.devices[i].kernel_time;
      *table.gap += sums.devices[i].gap;
      table.per_device.push_back({devices_[i], sums.devices[i].busy, sums.devices[i].kernel_time});
    }
    table.shares = sums.shares();
    table.utilisation = to_seconds(*table.busy) / to_seconds(*table.span) / static_cast<double>(sums.devices.size());
    table.flags.push_back("host_not_in_source");  // its share is part of `idle`
  }

  Columns columns_;
  const Rules& rules_;
  std::map<std::string, TypeSum> sums_;
  std::vector<std::string> devices_;
  DeviceTime time_;
  std::uint64_t tasks_ = 0, copies_ = 0, left_out_ = 0;
};

}  // namespace

bool is_ascend_head(std::string_view line) {
  const Fields head = fields_of(line);
  const Columns columns(head);
  return columns.is_kernel_list() || columns.is_statistic();
}

Result<OperatorTable> read_ascend_csv(const std::string& path, const Rules& rules) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source) return source.error();
  LineReader lines(**source);
  std::string_view line;
  Result<bool> more = lines.next(line);
  if (!more) return more.error();
  const Columns columns(fields_of(line));
  if (!columns.is_kernel_list() && !columns.is_statistic()) {
    return Error{ErrorCode::invalid_argument, fmt::format("{}: {}", path, say(TraceMsg::trace_no_columns))};
  }
  AscendList list(columns, rules);
  std::string record;
  for (;;) {
    more = lines.next(line);
    if (!more) return more.error();
    if (!*more) break;
    record += record.empty() ? "" : "\n";
    record += line;
    const bool is_open = std::count(record.begin(), record.end(), '"') % 2 != 0;  // a line feed within quotes
    if (is_open && record.size() < kLongestRecord) continue;
    if (!record.empty()) list.take(fields_of(record));
    record.clear();
  }
  OperatorTable table = list.finish();
  table.source = printable(path);
  if ((*source)->is_cut() || !record.empty()) table.flags.push_back("truncated_trace");
  return table;
}

}  // namespace scoville::trace
