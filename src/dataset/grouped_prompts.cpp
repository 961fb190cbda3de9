#include "dataset/grouped_prompts.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/rng.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {

GroupedPrompts::GroupedPrompts(std::unique_ptr<PromptSource> prompts, std::uint32_t per_request)
    : prompts_(std::move(prompts)), per_request_(per_request) {
  SCOVILLE_CHECK(per_request > 0, "a request holds a prompt");
}

Prompt GroupedPrompts::make(std::uint64_t index) const {
  Prompt out = prompts_->make(index * per_request_);
  for (std::uint32_t i = 1; i < per_request_; ++i) {
    Prompt more = prompts_->make(index * per_request_ + i);
    const bool is_known = out.asked_prompt_tokens > 0 && more.asked_prompt_tokens > 0;
    out.asked_prompt_tokens = is_known ? out.asked_prompt_tokens + more.asked_prompt_tokens : 0;
    out.hash = hash_bytes(more.text, out.hash);
    out.more_texts.push_back(std::move(more.text));
  }
  return out;
}

text::Phrase GroupedPrompts::describe() const {
  const text::Phrase prompts = prompts_->describe();
  const auto key = text::Msg::grouped_prompts;
  return {text::say_in(text::Language::english, key, prompts.english, per_request_),
          text::say_in(text::Language::chinese, key, prompts.chinese, per_request_)};
}

std::uint64_t GroupedPrompts::dataset_hash() const {
  return hash_bytes(fmt::format("grouped 1 {}", per_request_), prompts_->dataset_hash());
}

}  // namespace scoville::dataset
