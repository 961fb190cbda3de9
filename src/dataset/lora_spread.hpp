#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dataset/prompt_source.hpp"

namespace scoville::dataset {

/// LoRA adapters that requests ask for in place of the run's model.
struct Adapters {
  std::vector<std::string> names;  ///< empty: none
  bool is_random = true;           ///< drawn for each chain by the seed; else one after the other
};

/// Another source whose requests name an adapter each. All turns of a conversation name the same one: a user does not
/// change the model on the way. Which prompt gets which adapter is the same in each run with the same seed.
class LoraSpread final : public PromptSource {
 public:
  LoraSpread(std::unique_ptr<PromptSource> prompts, Adapters adapters, std::uint64_t seed);

  Prompt make(std::uint64_t index) const override;
  Chain chain(std::uint64_t number) const override { return prompts_->chain(number); }
  Prompt follow_up(std::uint64_t number, std::span<const std::string> answers) const override;
  Nanos think_time(std::uint64_t number, std::uint32_t turn) const override {
    return prompts_->think_time(number, turn);
  }
  std::optional<Nanos> recorded_at(std::uint64_t number) const override { return prompts_->recorded_at(number); }
  bool shares_prefixes() const override { return prompts_->shares_prefixes(); }
  std::optional<std::uint64_t> size() const override { return prompts_->size(); }
  text::Phrase describe() const override;
  /// Of names, their order, how they are given out, and the seed where it decides.
  std::uint64_t dataset_hash() const override;
  void set_salt(std::uint64_t salt) override { prompts_->set_salt(salt); }

 private:
  std::uint64_t chain_of(std::uint64_t index) const;
  Prompt with_adapter(Prompt prompt, std::uint64_t chain) const;

  std::unique_ptr<PromptSource> prompts_;
  Adapters adapters_;
  std::uint64_t seed_;
};

}  // namespace scoville::dataset
