#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "dataset/jsonl_rows.hpp"

namespace scoville::dataset {

/// One request of a recorded or learned workload: lengths, no words.
struct WorkloadTurn {
  Nanos think{};                    ///< between the end of the answer before and this request; 0 for a first turn
  std::uint32_t input_tokens = 0;   ///< of a first turn all of its prompt, of a later one only what it adds
  std::uint32_t output_tokens = 0;  ///< 0: not limited
};

/// Requests that follow each other: the turns of a conversation, or one request.
struct WorkloadChain {
  std::optional<Nanos> at;            ///< of its first turn, from the first of the trace; empty: not recorded
  std::vector<std::uint64_t> blocks;  ///< what its first prompt begins with: equal numbers are equal text
  std::vector<WorkloadTurn> turns;    ///< one at least
  std::string model;                  ///< that it asked for; empty: the run's
  std::uint64_t line = 0;             ///< of the file, from 1
};

/// Traffic as lengths, times, turns and shared prefixes: what every trace format is read into.
struct Workload {
  std::uint32_t block_tokens = 512;  ///< of each number in WorkloadChain::blocks; the last block of a prompt may be cut
  std::vector<WorkloadChain> chains;  ///< in the order of their times, where they have some
  std::vector<BadLine> bad;
  std::uint64_t unsorted = 0;  ///< rows that were not in the order of their times
};

/// All of them have one.
bool has_times(const Workload& workload);
/// From the first chain's time to the last one's.
Nanos span_of(const Workload& workload);
std::uint64_t requests_of(const Workload& workload);

/// What each parser ends with: chains in the order of their times, which count from the first of them.
void settle_times(Workload& workload);

}  // namespace scoville::dataset
