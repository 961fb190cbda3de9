#include "workload/prefixes.hpp"

#include <unordered_map>

namespace scoville::workload {

std::vector<std::vector<std::uint64_t>> shared_blocks(std::span<const std::vector<std::uint64_t>> prompts) {
  struct Block {
    std::size_t prompts = 0;
    std::uint64_t number = 0;
  };
  std::unordered_map<std::uint64_t, Block> known;
  for (const auto& prompt : prompts) {
    for (const std::uint64_t hash : prompt) ++known[hash].prompts;
  }
  std::uint64_t numbers = 0;
  std::vector<std::vector<std::uint64_t>> out(prompts.size());
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    for (const std::uint64_t hash : prompts[i]) {
      Block& block = known[hash];
      if (block.prompts < 2) break;
      if (block.number == 0) block.number = ++numbers;
      out[i].push_back(block.number);
    }
  }
  return out;
}

}  // namespace scoville::workload
