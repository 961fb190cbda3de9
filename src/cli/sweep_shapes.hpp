#pragma once

#include <cstdint>
#include <vector>

#include "cli/measured.hpp"
#include "cli/sweep_options.hpp"
#include "dataset/workload.hpp"
#include "report/shapes.hpp"

namespace scoville::cli {

/// So many requests of every length, one after the other in random order by `seed`, in rounds: what drifts meets all
/// lengths.
dataset::Workload length_workload(const std::vector<std::uint32_t>& lengths, std::size_t each,
                                  std::uint32_t output_tokens, std::uint64_t seed);

/// What a run of such a workload says of its lengths.
report::ShapesView shapes_of(const Measured& measured, std::size_t each);

/// `sweep --find-bad-shapes`: one run, stored as a set of its own. An error is a complete sentence.
Result<report::ShapesView> find_bad_shapes(const SweepOptions& options, std::string& set);

/// What a set of it says, read from the store; empty: it is none.
Result<std::optional<report::ShapesView>> stored_shapes(const store::RunStore& store, const std::string& set);

}  // namespace scoville::cli
