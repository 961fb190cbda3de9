#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace scoville::workload {

/// The blocks that each prompt begins with and shares with another one, numbered from 1 in the order in which they are
/// met: equal numbers are equal text up to the end of the block. Pure.
///
/// `prompts`: of each its prefix hashes (PromptShape). A hash stands for all text before it, so what two prompts share
/// is always a beginning. What one prompt alone has gets no number.
std::vector<std::vector<std::uint64_t>> shared_blocks(std::span<const std::vector<std::uint64_t>> prompts);

}  // namespace scoville::workload
