#pragma once

#include <cstdint>
#include <vector>

#include "cli/measured.hpp"
#include "dataset/workload.hpp"
#include "report/shapes.hpp"

namespace scoville::cli {

/// So many requests of every length, one after the other in random order by `seed`, in rounds: what drifts meets all
/// lengths.
dataset::Workload length_workload(const std::vector<std::uint32_t>& lengths, std::size_t each,
                                  std::uint32_t output_tokens, std::uint64_t seed);

/// What a run of such a workload says of its lengths.
report::ShapesView shapes_of(const Measured& measured, std::size_t each);

}  // namespace scoville::cli
