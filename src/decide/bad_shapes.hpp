#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/quantile.hpp"

namespace scoville::decide {

/// Times to the first token of prompts of one length, one request at a time.
struct LengthSample {
  std::uint32_t tokens = 0;  ///< of the prompt, above 0
  std::vector<double> ttft_s;
};

/// A length against the nearest ones on both sides.
enum class LengthStanding {
  inside,  ///< no difference shown from both neighbours at once
  slow,    ///< slower per token than both: a bad shape
  fast,    ///< faster per token than both
  edge,    ///< has no neighbour on one side
  few,     ///< too few requests for an interval, here or beside it
};
std::string_view name_of(LengthStanding standing);

struct LengthVerdict {
  std::uint32_t tokens = 0;
  std::size_t n = 0;
  std::optional<double> per_token_s;                ///< median of TTFT ÷ tokens
  std::optional<stats::QuantileInterval> interval;  ///< of that median, by order statistics, 95 %
  LengthStanding standing = LengthStanding::few;
  std::optional<double> p;       ///< of "beyond both neighbours, on the same side", Holm-adjusted over the lengths
  std::optional<double> excess;  ///< median ÷ that of the nearer neighbour − 1
};

/// Lengths whose median lies beyond the intervals of both neighbours, on the same side, and for which that is no chance
/// at `alpha` over all lengths. TTFT per token falls as the fixed part is spread over more tokens, so a single
/// neighbour says nothing; beyond both at once no smooth curve goes. p of one length: the larger of the two rank-sum
/// p's (an intersection-union test), 1 where the two point apart. Ascending by length; equal lengths are taken
/// together.
std::vector<LengthVerdict> judge_lengths(std::span<const LengthSample> samples, double alpha = 0.05);

/// The fewest requests of each of so many lengths with which one difference can be shown at `alpha`.
std::size_t requests_for_lengths(std::size_t lengths, double alpha = 0.05);

}  // namespace scoville::decide
