#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyse/run_statistics.hpp"
#include "event/fingerprint.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::decide {

/// What was known of a run before it began: all runs of an arm share it.
struct Setup {
  plan::LoadPlan load;
  plan::RequestShape shape;
  plan::Limits limits;
  std::string url;
  std::string peer;     ///< address and port behind the URL
  std::string client;   ///< the machine that made the load; empty: an older run did not say
  std::string version;  ///< of the program that made the load
  std::string dataset;  ///< in words: "64 → 32 tokens"; for people, the hash decides
  std::uint64_t dataset_hash = 0, seed = 0;
  std::optional<int> devices;  ///< how many were said to be used
  event::Fingerprint system;
};

struct ArmRun {
  std::string id;
  Nanos started{};  ///< wall clock, since 1970
  analyse::RunStatistics statistics;
};

/// One side of a comparison: repeated runs of one plan on one system, oldest first.
struct Arm {
  std::string name;
  Setup setup;
  std::vector<ArmRun> runs;
  bool is_one_plan = true;   ///< false: its runs differ in what they asked for, or in the system
  std::size_t left_out = 0;  ///< runs that were not brought to their end
};

}  // namespace scoville::decide
