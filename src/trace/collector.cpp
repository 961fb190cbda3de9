#include "trace/collector.hpp"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <functional>

namespace scoville::trace {
namespace {

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}
bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::uint64_t flow_number(std::string_view id) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (fault == std::errc() && end == id.data() + id.size()) return number;
  return std::hash<std::string_view>()(id) >> 1;
}

bool is_runtime_category(std::string_view category) {
  return category.ends_with("_runtime") || category.ends_with("_driver") || same_word(category, "runtime");
}

/// "cuda" of "cuda_runtime".
std::string_view backend_of(std::string_view category) { return category.substr(0, category.rfind('_')); }

}  // namespace

Collector::Kind Collector::kind_of(std::string_view category) {
  const std::uint32_t number = categories_.number(category);
  if (number < kinds_.size()) return kinds_[number];
  const auto is = [&](std::string_view word) { return same_word(category, word); };
  Kind kind = Kind::ignored;
  if (category.empty()) kind = Kind::unnamed;
  if (is("kernel") || is("gpu_kernel")) kind = Kind::kernel;
  if (is("gpu_memcpy") || is("gpu_memset") || is("memcpy") || is("memset")) kind = Kind::copy;
  if (is("collective_comm")) kind = Kind::communication;
  if (is("cpu_op") || is("operator")) kind = Kind::op;
  if (is_runtime_category(category)) {
    kind = Kind::runtime;
    if (backend_.empty() && holds(category, "_")) backend_ = backend_of(category);
  }
  kinds_.resize(std::max<std::size_t>(kinds_.size(), number + 1), Kind::ignored);
  kinds_[number] = kind;
  return kind;
}

Collector::NameFacts& Collector::facts(std::uint32_t name) {
  if (name >= facts_.size()) facts_.resize(name + 1);
  return facts_[name];
}

std::uint32_t Collector::lane_of(const TraceEvent& event) {
  if (has_lane_ && event.thread == last_thread_ && event.process == last_process_) return last_lane_;
  last_process_ = event.process;
  last_thread_ = event.thread;
  has_lane_ = true;
  lane_key_.assign(event.process).append(1, '\n').append(event.thread);
  return last_lane_ = lanes_.number(lane_key_);
}

/// Beyond kMostDevices all are one: a writer may give each event a process of its own.
std::uint32_t Collector::device_of(std::string_view name) {
  constexpr std::size_t kMostDevices = 1024;
  return device_names_.size() < kMostDevices ? device_names_.number(name) : std::uint32_t{kMostDevices - 1};
}

void Collector::take(const TraceEvent& event) {
  switch (event.phase) {
    case 'X':
      return take_complete(event);
    case 'M':
      return take_metadata(event);
    case 'B':
    case 'E':
      return take_half(event);
    case 's':
    case 'f':
      return take_flow(event);
    default:
      return;
  }
}

void Collector::take_metadata(const TraceEvent& event) {
  if (event.name != "process_name") return;
  const std::uint32_t process = processes_.number(event.process);
  if (process >= roles_.size()) roles_.resize(process + 1, Process::unknown);
  const std::string_view name = event.given_name;
  Process role = Process::other;
  if (holds(name, "CANN")) role = Process::runtime;
  if (holds(name, "Ascend Hardware")) role = Process::hardware;
  if (holds(name, "HCCL") || name == "Communication" || name.ends_with(" Communication")) role = Process::communication;
  if (role != Process::other) backend_ = "npu";
  roles_[process] = role;
}

void Collector::take_flow(const TraceEvent& event) {
  if (event.category != "async_npu" || !event.at_ns) return;
  const std::uint64_t id = flow_number(event.id);
  if (event.phase == 's') {
    links_.add_flow_start(id, lane_of(event), *event.at_ns);
  } else {
    links_.add_flow_end(id, lane_of(event), *event.at_ns);
  }
}

/// B and E: calls of a thread close in reverse order.
void Collector::take_half(const TraceEvent& event) {
  if (!event.at_ns) return;
  const std::uint32_t lane = lane_of(event);
  std::vector<OpenCall>& stack = open_[lane];
  if (event.phase == 'B') {
    stack.push_back({names_.number(event.name), std::string(event.category), *event.at_ns});
    return;
  }
  if (stack.empty()) return;
  const OpenCall call = std::move(stack.back());
  stack.pop_back();
  Piece piece;
  piece.lane = lane;
  piece.name = call.name;
  piece.process = processes_.number(event.process);
  piece.begin = call.begin;
  piece.length = std::max<std::int64_t>(0, *event.at_ns - call.begin);
  piece.device = device_of(event.process);
  take_piece(kind_of(call.category), piece);
}

void Collector::take_complete(const TraceEvent& event) {
  const Kind kind = kind_of(event.category);
  if (kind == Kind::ignored) return;
  if (!event.at_ns || event.for_ns.value_or(0) < 0) {
    has_odd_times_ = true;
    return;
  }
  Piece piece;
  piece.lane = lane_of(event);
  piece.name = names_.number(event.name);
  piece.begin = *event.at_ns;
  piece.length = event.for_ns.value_or(0);
  piece.external_id = event.external_id;
  piece.correlation = event.correlation;
  piece.bytes = event.bytes.value_or(0);
  if (kind == Kind::unnamed) {
    piece.process = processes_.number(event.process);
    const std::uint32_t task = tasks_.number(event.task_type);
    const Process role = piece.process < roles_.size() ? roles_[piece.process] : Process::unknown;
    if (role != Process::unknown) return take_ascend(role, piece, task);
    return unnamed_.add(
        {piece.process, piece.lane, as_key(piece.begin), static_cast<std::uint64_t>(piece.length), piece.name, task});
  }
  if (kind != Kind::op && kind != Kind::runtime) {
    piece.device = device_of(event.device.empty() ? event.process : event.device);
  }
  take_piece(kind, piece);
}

void Collector::take_piece(Kind kind, const Piece& piece) {
  if (kind == Kind::op) {
    ++operators_;
    links_.add_operator(piece.lane, piece.begin, piece.length, piece.name, piece.external_id);
  } else if (kind == Kind::runtime) {
    NameFacts& known = facts(piece.name);
    if (!known.is_known_call) {
      const std::string name = names_.text(piece.name);
      known.is_launch = holds(name, "Launch") || holds(name, "launch") || holds(name, "InvokeKernel");
      known.is_known_call = true;
    }
    if (known.is_launch) ++launches_;
    links_.add_runtime(piece.lane, piece.begin, piece.length, piece.correlation);
  } else if (kind == Kind::kernel || kind == Kind::communication) {
    take_work(piece, kind == Kind::kernel ? Work::compute : Work::communication, false);
  } else if (kind == Kind::copy) {
    take_work(piece, Work::memory, false);
  }
}

void Collector::take_work(const Piece& piece, Work work, bool is_at_point) {
  NameFacts& known = facts(piece.name);
  if (!known.is_known_work) {
    const std::string name = names_.text(piece.name);
    known.is_communication = rules_.is_communication(name);
    known.is_to_host = rules_.is_to_host(name);
    known.is_known_work = true;
  }
  if (work == Work::compute && known.is_communication) work = Work::communication;
  known.is_copy = work == Work::memory;
  ++(work == Work::memory ? copies_ : kernels_);
  ++known.sum.calls;
  known.sum.time += piece.length;
  time_.add(piece.device, piece.begin, piece.length, work);
  const DeviceWork found{piece.name, piece.length, work, work == Work::memory && known.is_to_host, piece.bytes};
  if (is_at_point) {
    links_.add_work_at(found, piece.lane, piece.begin);
  } else {
    links_.add_work(found, piece.external_id, piece.correlation);
  }
}

void Collector::take_ascend(Process process, const Piece& piece, std::uint32_t task) {
  if (process == Process::runtime) {
    const std::string name = names_.text(piece.name);
    if (holds(name, "launch") || holds(name, "Launch")) ++launches_;
    return time_.add_host(piece.begin, piece.length);
  }
  Piece placed = piece;
  placed.device = device_of("npu");
  if (process == Process::communication) {  // its planes hold the parts of each collective: only the whole counts
    const std::string name = names_.text(piece.name);
    if (name.starts_with("hcom") || name.starts_with("Hcom")) take_work(placed, Work::communication, true);
    return;
  }
  if (process != Process::hardware) return;
  const AscendTask what = rules_.ascend_task(tasks_.text(task));
  if (what == AscendTask::no_work) return;
  if (what == AscendTask::device_cpu) facts(piece.name).on_device_cpu = true;
  take_work(placed, what == AscendTask::copy ? Work::memory : Work::compute, true);
}

/// Events without a category whose process was named after them, or never.
void Collector::take_unnamed() {
  unnamed_.close();
  SortedRuns<6>::Reader reader(unnamed_);
  while (const SortedRuns<6>::Record* const record = reader.next()) {
    const std::size_t process = (*record)[0];
    if (process >= roles_.size()) continue;
    Piece piece;
    piece.process = static_cast<std::uint32_t>(process);
    piece.lane = static_cast<std::uint32_t>((*record)[1]);
    piece.begin = static_cast<std::int64_t>((*record)[2] - kTraceZero);
    piece.length = static_cast<std::int64_t>((*record)[3]);
    piece.name = static_cast<std::uint32_t>((*record)[4]);
    take_ascend(roles_[process], piece, static_cast<std::uint32_t>((*record)[5]));
  }
  unnamed_.clear();
}

}  // namespace scoville::trace
