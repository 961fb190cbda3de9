#pragma once

#include "claim/claim.hpp"

namespace scoville::claim {

/// Whether two results are of different cells by what they state: engine or precision of a system, the batch, or
/// whether it is of latency or of throughput, is said by both and is not the same. What only one of them says keeps
/// them apart from nothing. The claim's own party speaks of the claim's conditions where its result names none.
bool are_different_cells(const Claim& claim, const Measured& a, const Measured& b);

}  // namespace scoville::claim
