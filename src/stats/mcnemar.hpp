#pragma once

#include <cstdint>

namespace scoville::stats {

/// Two systems answer the same questions: does one answer more of them right? (McNemar 1947, in its exact form.)
///
/// Only questions that exactly one of them answered right tell: `base_only` and `other_only` of them. Without a
/// difference each such question falls to either side like a coin, so p is the two-sided binomial tail, twice
/// P(X <= min) for X ~ Bin(base_only + other_only, 1/2), at most 1. Exact for every size; 1 where none tells. Five all
/// on one side cannot show a difference at 5 % (0.0625), six can.
double mcnemar_p(std::uint64_t base_only, std::uint64_t other_only);

}  // namespace scoville::stats
