#pragma once

#include <cstddef>
#include <cstdint>

#include "dataset/length_distribution.hpp"
#include "dataset/workload.hpp"

namespace scoville::dataset {

/// Groups of prompts that begin alike, as system prompts make them.
struct SharedPrefix {
  std::uint32_t prefixes = 10;
  std::uint32_t prefix_tokens = 256;  ///< template and BOS included
  std::uint32_t suffix_tokens = 256;  ///< each request's own
  std::uint32_t output_tokens = 128;
};

/// So many requests at least, round after round: each round has every prefix once, in an order drawn by `seed`, so that
/// the groups are equally large and no prefix comes at a fixed distance.
Workload shared_prefix_workload(const SharedPrefix& shape, std::size_t requests, std::uint64_t seed);

/// Conversations of synthetic text.
struct SyntheticTurns {
  std::uint32_t turns = 2;
  LengthDistribution first_input = LengthDistribution::constant(512);
  LengthDistribution later_input = LengthDistribution::constant(128);  ///< what a later turn adds
  LengthDistribution output = LengthDistribution::constant(128);
  Nanos think = Nanos::zero();
};

Workload turns_workload(const SyntheticTurns& shape, std::size_t conversations, std::uint64_t seed);

}  // namespace scoville::dataset
