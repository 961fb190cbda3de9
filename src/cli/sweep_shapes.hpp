#pragma once

#include <optional>
#include <string>

#include "cli/sweep_lengths.hpp"
#include "cli/sweep_options.hpp"
#include "report/shapes.hpp"

namespace scoville::cli {

/// `sweep --find-bad-shapes`: one run, stored as a set of its own. An error is a complete sentence.
Result<report::ShapesView> find_bad_shapes(const SweepOptions& options, std::string& set);

/// What a set of it says, read from the store; empty: it is none.
Result<std::optional<report::ShapesView>> stored_shapes(const store::RunStore& store, const std::string& set);

}  // namespace scoville::cli
