#pragma once

#include <string_view>
#include <vector>

#include "claim/claim.hpp"
#include "claim/words.hpp"

namespace scoville::claim {

/// A ratio as a sentence writes it, and where.
struct WrittenRatio {
  Ratio ratio;
  std::size_t at = 0, end = 0;
};

/// All that are understood, from left to right: "2.1x", "30-40 % better", "40% lower latency" (1 / 0.6),
/// "延迟降低一半". The number stands alone: of "MI300X" and "8x7B" nothing is read. Worse is no ratio, nor is better or
/// worse of what is neither ("30% less power").
std::vector<WrittenRatio> ratios_in(std::string_view text, const std::vector<Noun>& nouns);

}  // namespace scoville::claim
