#include "dataset/lora_spread.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/rng.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {
constexpr std::uint64_t kAdapterStream = 0x64617461'0020;
}

LoraSpread::LoraSpread(std::unique_ptr<PromptSource> prompts, Adapters adapters, std::uint64_t seed)
    : prompts_(std::move(prompts)), adapters_(std::move(adapters)), seed_(seed) {
  SCOVILLE_CHECK(!adapters_.names.empty(), "adapters have names");
}

/// The chain that request `index` belongs to. Requests are numbered chain after chain, and a chain has one at least.
std::uint64_t LoraSpread::chain_of(std::uint64_t index) const {
  std::uint64_t low = 0, high = index;  // the last chain that begins at `index` or before it
  if (prompts_->chain(high).first == index) return high;
  while (low < high) {
    const std::uint64_t middle = high - (high - low) / 2;
    if (prompts_->chain(middle).first <= index) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

Prompt LoraSpread::with_adapter(Prompt prompt, std::uint64_t chain) const {
  const std::size_t n = adapters_.names.size();
  prompt.model = adapters_.names[adapters_.is_random ? Rng(seed_, kAdapterStream, chain).below(n) : chain % n];
  prompt.hash = hash_bytes(prompt.model, prompt.hash);  // the same words for another adapter are another prompt
  return prompt;
}

Prompt LoraSpread::make(std::uint64_t index) const { return with_adapter(prompts_->make(index), chain_of(index)); }

Prompt LoraSpread::follow_up(std::uint64_t number, std::span<const std::string> answers) const {
  return with_adapter(prompts_->follow_up(number, answers), number);
}

text::Phrase LoraSpread::describe() const {
  const auto key = adapters_.is_random ? text::Msg::lora_random : text::Msg::lora_round_robin;
  const text::Phrase prompts = prompts_->describe();
  const std::size_t n = adapters_.names.size();
  return {text::say_in(text::Language::english, key, prompts.english, n),
          text::say_in(text::Language::chinese, key, prompts.chinese, n)};
}

std::uint64_t LoraSpread::dataset_hash() const {
  std::uint64_t hash = hash_bytes(adapters_.is_random ? fmt::format("adapters 1 random {}", seed_) : "adapters 1 turns",
                                  prompts_->dataset_hash());
  for (const std::string& each : adapters_.names) hash = hash_bytes(each + '\n', hash);
  return hash;
}

}  // namespace scoville::dataset
