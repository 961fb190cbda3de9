#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/device_time.hpp"
#include "trace/event.hpp"
#include "trace/links.hpp"
#include "trace/names.hpp"
#include "trace/rules.hpp"
#include "trace/table.hpp"

namespace scoville::trace {

/// Takes the events of one trace, in any order, and makes the operator table of them.
///
/// What an event is says its category (Kineto); without one, the name of its process (Ascend's trace_view.json), which
/// may come later in the file. User annotations and Python functions are no work. Of each event some bytes are kept
/// (SortedRuns), never the event: about 25 for an operator, 20 for a kernel.
class Collector {
 public:
  explicit Collector(const Rules& rules) : rules_(rules) {}

  void take(const TraceEvent& event);
  /// Once, after the last event.
  OperatorTable finish();

 private:
  enum class Kind : std::uint8_t { unnamed, ignored, op, runtime, kernel, copy, communication };
  enum class Process : std::uint8_t { unknown, other, hardware, communication, runtime };

  struct NameFacts {
    bool is_known_work = false, is_communication = false, is_to_host = false;
    bool is_known_call = false, is_launch = false;
    bool on_device_cpu = false, is_copy = false;
    KernelSum sum;  // as device work
  };
  struct OpenCall {
    std::uint32_t name;
    std::string category;
    std::int64_t begin;
  };
  /// A complete event, its texts as numbers.
  struct Piece {
    std::uint32_t process = 0, lane = 0, name = 0;
    std::int64_t begin = 0, length = 0;
    std::optional<std::uint64_t> external_id, correlation;
    std::uint64_t bytes = 0;
    std::uint32_t device = 0;
  };

  Kind kind_of(std::string_view category);
  NameFacts& facts(std::uint32_t name);
  std::uint32_t lane_of(const TraceEvent& event);
  std::uint32_t device_of(std::string_view name);
  void take_metadata(const TraceEvent& event);
  void take_flow(const TraceEvent& event);
  void take_half(const TraceEvent& event);
  void take_complete(const TraceEvent& event);
  void take_piece(Kind kind, const Piece& piece);
  void take_ascend(Process process, const Piece& piece, std::uint32_t task);
  void take_work(const Piece& piece, Work work, bool is_at_point);
  void take_unnamed();
  OperatorRow operator_row(std::uint32_t name, const OperatorSum& sum);
  void add_kernel_row(OperatorTable& table, std::uint32_t name, const KernelSum& sum);
  void add_times(OperatorTable& table);
  KernelUse use_of(std::uint32_t name, const KernelSum& sum);

  const Rules& rules_;
  Names names_, categories_, lanes_, processes_, tasks_, device_names_;
  std::vector<Kind> kinds_;       // by category
  std::vector<NameFacts> facts_;  // by name
  std::vector<Process> roles_;    // by process
  std::unordered_map<std::uint32_t, KernelOrigin> origins_;
  std::unordered_map<std::uint32_t, std::vector<OpenCall>> open_;  // B without E, by lane
  SortedRuns<6> unnamed_;                                          // process, lane, begin, length, name, task
  std::string last_process_, last_thread_, lane_key_, backend_;
  std::uint32_t last_lane_ = 0;
  bool has_lane_ = false, has_odd_times_ = false;
  Links links_;
  DeviceTime time_;
  std::uint64_t kernels_ = 0, launches_ = 0, copies_ = 0, operators_ = 0;
};

/// The operator table of a trace in the Chrome format: Kineto's JSON, Ascend's trace_view.json, gzip too.
Result<OperatorTable> read_trace(const std::string& path, const Rules& rules);

}  // namespace scoville::trace
