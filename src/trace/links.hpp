#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trace/device_time.hpp"
#include "trace/names.hpp"
#include "trace/rules.hpp"
#include "trace/sorted_runs.hpp"

namespace scoville::trace {

/// One piece of work of a device, as it is looked for on the host.
struct DeviceWork {
  std::uint32_t name = 0;
  std::int64_t length = 0;
  Work work = Work::compute;
  bool is_to_host = false;
  std::uint64_t bytes = 0;  ///< of a copy; 0: not known
};

struct KernelSum {
  std::uint64_t calls = 0;
  std::int64_t time = 0;
};

/// All calls of one operator.
struct OperatorSum {
  std::uint64_t calls = 0;
  std::int64_t host_total = 0, host_self = 0;  ///< ns; total counts a recursive call once
  std::int64_t device_total = 0,
               device_self = 0;  ///< of work started inside it; of work that no inner operator started
  std::uint64_t calls_with_kernel = 0;
  std::uint64_t moved_to_cpu = 0;    ///< calls whose inputs were copied to the host by the fallback itself
  std::uint64_t copied_to_host = 0;  ///< calls without a kernel in which something was copied to the host
  std::int64_t fallback_time = 0;    ///< on the host, of those calls
  std::unordered_map<std::uint32_t, KernelSum> kernels;  ///< by name: work that it started itself
};

/// Finds the operator that started each piece of device work, and sums over operators.
///
/// Three ways lead from device to host: the number of the operator ("External id"), the number of the runtime's call
/// ("correlation"), and a flow between two points of the timeline (Ascend). Each is a join of two sorted lists, so no
/// table of events is held, only SortedRuns. Work then lies at an instant of a host thread, and a sweep over each
/// thread with a stack of open operators gives it to the innermost one.
class Links {
 public:
  void add_operator(std::uint32_t lane, std::int64_t begin, std::int64_t length, std::uint32_t name,
                    std::optional<std::uint64_t> external_id);
  void add_runtime(std::uint32_t lane, std::int64_t begin, std::int64_t length,
                   std::optional<std::uint64_t> correlation);
  void add_work(const DeviceWork& work, std::optional<std::uint64_t> external_id,
                std::optional<std::uint64_t> correlation);
  /// Work that only a flow may lead from.
  void add_work_at(const DeviceWork& work, std::uint32_t lane, std::int64_t begin);
  void add_flow_start(std::uint64_t id, std::uint32_t lane, std::int64_t at);
  void add_flow_end(std::uint64_t id, std::uint32_t lane, std::int64_t at);

  struct Sums {
    std::unordered_map<std::uint32_t, OperatorSum> operators;
    std::unordered_map<std::uint32_t, KernelSum> unlinked;  ///< device work that no operator was found for
  };
  /// Once, after the last event. Busy times of the host go to `time`.
  Sums solve(const Names& names, const Rules& rules, DeviceTime& time);

 private:
  using Joined = SortedRuns<6>;  // id; 0 and place (lane, begin), or 1 and work (name, length, code, correlation + 1)

  void follow_flows();
  void join(Joined& list, Joined* unresolved);
  void add_unlinked(std::uint32_t name, std::int64_t length);
  void sweep(const Names& names, const Rules& rules, DeviceTime& time);

  SortedRuns<5> host_;    // lane, begin, longest first, is runtime, name
  SortedRuns<5> placed_;  // lane, begin, name, length, code
  SortedRuns<6> points_;  // lane, begin; 0 and flow, or 1 and work
  Sums sums_;
  Joined by_external_id_, by_correlation_, by_flow_;
};

}  // namespace scoville::trace
