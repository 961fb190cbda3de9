#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dataset/workload.hpp"
#include "workload/arrivals.hpp"
#include "workload/lengths.hpp"
#include "workload/logged_request.hpp"

namespace scoville::workload {

struct SourceFile {
  std::string name;
  LogRows log;
};

struct LearnOptions {
  std::optional<double> tokens_per_char;  ///< where the files do not measure it
  std::uint32_t assumed_input = 512;      ///< of requests that say nothing of their prompt
};

/// What a distribution was like, each value as it was: sorted.
struct Sizes {
  std::vector<double> first_input, added_input, output, turns, think_s;
};

/// A workload, and what there is to know about how it was come by.
struct Learned {
  dataset::Workload workload;
  Arrivals arrivals;  ///< of all requests
  Arrivals starts;    ///< of the first of each chain: later turns come when the answer before them has ended
  Sizes sizes;
  TokensPerChar ratio;
  LengthDoubts doubts;
  std::uint32_t assumed_input = 0;
  std::size_t requests = 0, conversations = 0;  ///< of several turns
  std::size_t failed = 0, stale = 0, skipped = 0;
  std::size_t estimated_added = 0, estimated_think = 0;
  bool has_times = false, has_coarse_times = false, has_prompts = false;
  std::uint64_t input_tokens = 0, shared_tokens = 0;  ///< of first turns
  std::size_t sharing_chains = 0;
  std::uint64_t distinct_blocks = 0;
  std::map<std::string, std::size_t> models;

  std::size_t bad = 0;
  std::string first_bad_file;
  dataset::BadLine first_bad;
};

/// Traffic into a workload: chains by find_chains(), lengths by fill_lengths(), blocks by shared_blocks(). Pure.
///
/// Requests are load whatever became of them, but for those that met a connection the server had just closed: clients
/// send them again. A later turn's input is its prompt less the prompt and the answer before it, where all three were
/// counted and something is left; else the characters of its new messages. Think time runs from the end of the answer
/// before, and is never negative. Where some lines have a time, the others cannot be placed and count as bad.
Learned learn(std::vector<SourceFile> files, const LearnOptions& options);

}  // namespace scoville::workload
