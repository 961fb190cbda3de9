#pragma once

#include <string>
#include <vector>

#include "cli/measured.hpp"
#include "report/run_set.hpp"

namespace scoville::cli {

/// What a set's report needs of a run; its records are let go of.
report::RunOfSet run_of_set(Measured measured);

/// Stored runs, analysed anew, as one set. `name`: how they were asked for, a set's id or a tag.
Result<report::RunSet> read_set(const store::RunStore& store, const std::string& name,
                                const std::vector<store::RunInfo>& runs);

}  // namespace scoville::cli
