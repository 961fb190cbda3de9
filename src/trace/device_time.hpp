#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "trace/sorted_runs.hpp"
#include "trace/table.hpp"

namespace scoville::trace {

/// What a device does, in the order in which simultaneous work is counted.
enum class Work : std::uint8_t { compute, communication, memory };

/// Instants of a trace as unsigned numbers in the same order: a trace may begin before its zero.
constexpr std::uint64_t kTraceZero = std::uint64_t{1} << 62;
constexpr std::uint64_t as_key(std::int64_t ns) { return kTraceZero + static_cast<std::uint64_t>(ns); }

/// How long devices worked: intervals of any number of streams in any order, united without being kept.
class DeviceTime {
 public:
  /// `device` counts from 0 in order of appearance.
  void add(std::uint32_t device, std::int64_t begin, std::int64_t length, Work work);
  /// The host works: an operator, a call of the runtime.
  void add_host(std::int64_t begin, std::int64_t length);
  /// Nothing will be added any more.
  void close();

  struct Device {
    Nanos busy{}, kernel_time{}, gap{};  ///< gap: idle between its first and its last work
    Nanos compute{}, communication{}, memory{}, host{}, hidden_communication{};
  };
  struct Sums {
    Nanos span{};  ///< from the first event, of a device or of the host, to the end of the last
    std::vector<Device> devices;
    std::optional<StepShares> shares() const;
  };
  Sums sums() const;

 private:
  Device swept(std::uint32_t device, SortedRuns<3>::Reader& work, const SortedRuns<3>::Record*& next) const;
  void widen(std::int64_t begin, std::int64_t length);

  SortedRuns<3> work_;  // device, begin, length and kind
  SortedRuns<2> host_;  // begin, length
  std::uint32_t devices_ = 0;
  bool is_empty_ = true;
  std::int64_t first_ = 0, last_ = 0;
};

}  // namespace scoville::trace
