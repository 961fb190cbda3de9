#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "claim/claim.hpp"
#include "cli/store_options.hpp"

namespace scoville::cli {

/// Two stored measurements, the comparator's and the subject's, as one result for a claim: gate first, then the metric
/// that the claim is about. A refused pair names its fields and has no ratio; runs that cannot tell (too few) have no
/// interval, and are an error.
Result<claim::Measured> measured_for(const claim::Claim& claim, const std::vector<std::string>& names,
                                     const StoreOptions& stored);

}  // namespace scoville::cli
