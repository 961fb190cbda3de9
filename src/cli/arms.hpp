#pragma once

#include <string>
#include <vector>

#include "cli/measured.hpp"
#include "decide/arm.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// The runs that a name means (an id, a tag, a set: the newest of its sets), as one side of a comparison. A run whose
/// statistics are not there, or of another method, is analysed anew, and `keeps` puts them beside it. Runs that were
/// not brought to their end are left out and counted.
Result<decide::Arm> read_arm(store::RunStore& store, const std::string& name, bool keeps);

/// The same of a bundle's file: it is verified, and read into a store that lives as long as this call. What a bundle
/// says of a run's statistics is not taken: they are computed from its records.
Result<decide::Arm> read_arm_of_bundle(const std::string& path);

/// The same of runs that are known, oldest first. None of them may have come to its end.
Result<decide::Arm> arm_of(store::RunStore& store, const std::string& name, const std::vector<store::RunInfo>& runs,
                           bool keeps);

/// What comparisons take of a run's head.
decide::Setup setup_of(const Measured& measured);

/// A run just measured, or read, as one of an arm.
decide::ArmRun arm_run_of(const Measured& measured);

}  // namespace scoville::cli
