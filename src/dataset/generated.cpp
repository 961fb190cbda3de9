#include "dataset/generated.hpp"

#include <numeric>
#include <utility>

#include "base/rng.hpp"

namespace scoville::dataset {
namespace {
constexpr std::uint64_t kRoundStream = 0x64617461'000c, kFirstStream = 0x64617461'000d;
constexpr std::uint64_t kLaterStream = 0x64617461'000e, kOutputStream = 0x64617461'000f;
}  // namespace

Workload shared_prefix_workload(const SharedPrefix& shape, std::size_t requests, std::uint64_t seed) {
  Workload workload;
  workload.block_tokens = shape.prefix_tokens;
  std::vector<std::uint64_t> order(shape.prefixes);
  std::iota(order.begin(), order.end(), 0);
  for (std::uint64_t round = 0; workload.chains.size() < requests; ++round) {
    Rng rng(seed, kRoundStream, round);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    for (const std::uint64_t prefix : order) {
      WorkloadChain& chain = workload.chains.emplace_back();
      chain.blocks = {prefix};
      chain.turns.push_back({Nanos::zero(), shape.prefix_tokens + shape.suffix_tokens, shape.output_tokens});
    }
  }
  return workload;
}

Workload turns_workload(const SyntheticTurns& shape, std::size_t conversations, std::uint64_t seed) {
  Workload workload;
  workload.chains.resize(conversations);
  for (std::size_t i = 0; i < conversations; ++i) {
    for (std::uint32_t turn = 0; turn < shape.turns; ++turn) {
      const std::uint64_t index = i * std::uint64_t{shape.turns} + turn;
      const std::uint32_t input = turn == 0 ? shape.first_input.draw(seed, kFirstStream, index)
                                            : shape.later_input.draw(seed, kLaterStream, index);
      workload.chains[i].turns.push_back(
          {turn == 0 ? Nanos::zero() : shape.think, input, shape.output.draw(seed, kOutputStream, index)});
    }
  }
  return workload;
}

}  // namespace scoville::dataset
