#pragma once

#include <cstdint>
#include <memory>

#include "dataset/prompt_source.hpp"

namespace scoville::dataset {

/// Several prompts of another source in one request: texts to be embedded together. Request i holds prompts i·n … of
/// that source, which has no conversations and no end.
class GroupedPrompts final : public PromptSource {
 public:
  GroupedPrompts(std::unique_ptr<PromptSource> prompts, std::uint32_t per_request);

  Prompt make(std::uint64_t index) const override;
  bool shares_prefixes() const override { return prompts_->shares_prefixes(); }
  text::Phrase describe() const override;
  std::uint64_t dataset_hash() const override;
  void set_salt(std::uint64_t salt) override { prompts_->set_salt(salt); }

 private:
  std::unique_ptr<PromptSource> prompts_;
  std::uint32_t per_request_;
};

}  // namespace scoville::dataset
