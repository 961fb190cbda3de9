#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "text/catalogue.hpp"
#include "trace/rules.hpp"

namespace scoville::trace {

enum class SourceKind { profiler_trace, kernel_list, operator_statistic, engine_log };
inline constexpr std::array<std::string_view, 4> kSourceNames{"profiler_trace", "kernel_list", "operator_statistic",
                                                              "engine_log"};

enum class Verdict { supported, fallback, unsupported, unknown };
inline constexpr std::array<std::string_view, 4> kVerdictNames{"supported", "fallback", "unsupported", "unknown"};

/// What a row is named after.
enum class RowKind { op, kernel, copy };
inline constexpr std::array<std::string_view, 3> kRowNames{"operator", "kernel", "copy"};

/// Why a row has its verdict: a code for machines, words for people.
struct Evidence {
  std::string code;
  text::Phrase words;
};

struct KernelUse {
  std::string name;
  KernelOrigin origin;
  std::uint64_t calls = 0;
  Nanos time{};
};

struct OperatorRow {
  std::string name;
  RowKind kind = RowKind::op;
  Verdict verdict = Verdict::unknown;
  std::string device;  ///< where it ran: "device", "device_cpu", "host"; empty: not known
  std::optional<std::uint64_t> calls;
  /// What the order and `share` go by: the time of the device work that it started itself; of a fallback, and where the
  /// source knows no device, the time on the host.
  std::optional<Nanos> time;
  std::optional<double> share;  ///< of the sum of `time` over the rows that have one
  std::optional<Nanos> host_total, host_self, device_total, device_self;
  std::array<std::uint64_t, kOriginNames.size()> origins{};  ///< calls of kernels by their origin
  std::vector<KernelUse> kernels;                            ///< the longest first
  std::vector<Evidence> evidence;
};

/// Parts of the time from the first event to the last, averaged over the devices; they add up to 1. Where several
/// things happen at once, the first of this order has the time.
struct StepShares {
  double compute = 0, communication = 0, memory = 0, host = 0, idle = 0;
  double hidden_communication = 0;  ///< communication beside compute; part of `compute`, not of the sum
};

struct DeviceUse {
  std::string name;
  Nanos busy{}, kernel_time{};
};

/// What an engine's log says beside operators.
struct LogFindings {
  std::string backend;  ///< whose words the fallbacks were: "npu", "xla"; empty: none
  std::uint64_t lines = 0, fallback_lines = 0;
  std::optional<std::uint64_t> syncs, recompiles;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> offload;  ///< layers on the accelerator, of how many
  std::uint64_t preemption_lines = 0, preemptions_at_least = 0;
  std::vector<std::string> preemption_modes;
  std::uint64_t retracted = 0;
  struct OutOfMemory {
    std::optional<std::uint64_t> device, bytes;
  };
  std::vector<OutOfMemory> out_of_memory;
  std::uint64_t config_limits = 0;
  bool is_engine_dead = false;
  std::uint64_t dead_at_line = 0;  ///< from 1
  std::string dead_at;             ///< the line's own time, as it stands there
  std::uint64_t http_500 = 0;
  std::vector<std::string> unused_kernels;  ///< attention kernels that were refused, with the reason given
};

/// What a profiler trace or an engine's log says of the operators, in one form whoever wrote the file.
struct OperatorTable {
  std::string source;
  SourceKind kind = SourceKind::profiler_trace;
  std::string backend;               ///< "cuda", "npu": as the file names its runtime; empty: not known
  std::vector<std::string> devices;  ///< names of the devices, where the file has them
  std::vector<OperatorRow> rows;     ///< by share, the largest first; those without one after them, by name
  std::optional<StepShares> shares;
  std::optional<Nanos> span, busy, kernel_time, gap;
  std::optional<double> utilisation;  ///< busy ÷ span; null without device events: nothing is known then
  std::vector<DeviceUse> per_device;
  std::optional<std::uint64_t> events, kernels, launches, copies;
  std::vector<std::string> flags;
  std::optional<std::uint64_t> cut_at;  ///< byte of the (unpacked) file where the events that could be read end
  std::optional<LogFindings> log;
};

/// As a terminal and JSON can take it: bytes that are no UTF-8 become U+FFFD, control characters blanks; cut at 8 KiB.
std::string printable(std::string_view text);

/// Shares of the rows from their times, and the order; texts printable.
void settle(OperatorTable& table);

}  // namespace scoville::trace
