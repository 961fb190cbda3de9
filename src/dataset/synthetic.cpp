#include "dataset/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/rng.hpp"
#include "dataset/vocabulary.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

// Streams of random numbers apart from each other and from those of other modules. Changing one, or the way in which
// words are drawn, changes every workload: then kRecipe goes up.
constexpr std::uint64_t kSaltStream = 0x64617461'0002;
constexpr std::uint64_t kBodyStream = 0x64617461'0003;
constexpr std::uint64_t kInputStream = 0x64617461'0004;
constexpr std::uint64_t kOutputStream = 0x64617461'0005;
constexpr std::uint64_t kPairStream = 0x64617461'0014;
constexpr int kRecipe = 1;

}  // namespace

Result<SyntheticPrompts> SyntheticPrompts::create(LengthModel model, const SyntheticOptions& options) {
  SyntheticPrompts prompts(std::move(model), options);
  const auto least = options.pairs ? std::optional(options.pairs->shortest_input()) : options.input.least();
  if (least && *least < prompts.smallest_) {
    return Error{ErrorCode::invalid_argument,
                 say(Msg::prompt_too_short, *least, prompts.smallest_, prompts.model_.offset, kSaltWords)};
  }
  return prompts;
}

SyntheticPrompts::SyntheticPrompts(LengthModel model, const SyntheticOptions& options)
    : model_(std::move(model)),
      options_(options),
      smallest_(static_cast<std::uint32_t>(std::max<std::int64_t>(1, model_.tokens_of(kSaltWords)))) {
  SCOVILLE_CHECK(!model_.words.empty(), "a length model has words");
  for (const std::string_view word : model_.words) {
    starts_.push_back(static_cast<std::uint32_t>(spaced_words_.size()));
    (spaced_words_ += ' ') += word;
    longest_word_ = std::max(longest_word_, word.size() + 1);
  }
  starts_.push_back(static_cast<std::uint32_t>(spaced_words_.size()));
}

Prompt SyntheticPrompts::make(std::uint64_t index) const {
  Prompt prompt;
  if (options_.pairs) {
    const LengthPairs::Pair& pair = options_.pairs->draw(options_.seed, kPairStream, index);
    prompt.asked_prompt_tokens = pair.input;
    prompt.max_tokens = pair.output;
  } else {
    prompt.asked_prompt_tokens = options_.input.draw(options_.seed, kInputStream, index, smallest_);
    if (options_.output) prompt.max_tokens = options_.output->draw(options_.seed, kOutputStream, index);
  }

  const std::int64_t words = std::max(kSaltWords, model_.words_for(prompt.asked_prompt_tokens));
  prompt.text.reserve(kFirstWord.size() + static_cast<std::size_t>(words) * longest_word_);
  prompt.text = kFirstWord;
  const auto append_words = [&](Rng rng, std::int64_t count) {
    for (; count > 0; --count) {
      const std::size_t word = rng.below(model_.words.size());
      prompt.text.append(spaced_words_, starts_[word], starts_[word + 1] - starts_[word]);
    }
  };
  append_words(Rng(options_.salt, kSaltStream, index), kSaltWords);
  append_words(Rng(options_.seed, kBodyStream, index), words - kSaltWords);
  prompt.hash = hash_bytes(prompt.text);
  return prompt;
}

text::Phrase SyntheticPrompts::describe() const {
  if (options_.pairs) return text::phrase(Msg::pair_prompts, options_.pairs->to_string(), model_.method);
  return text::phrase(model_.is_exact ? Msg::synthetic_exact : Msg::synthetic_nearest, options_.input.to_string(),
                      model_.method);
}

std::uint64_t SyntheticPrompts::dataset_hash() const {
  std::uint64_t hash =
      hash_bytes(fmt::format("synthetic {} {} {} {}", kRecipe, options_.seed, options_.input.to_string(),
                             options_.output ? options_.output->to_string() : "-"));
  if (options_.pairs) hash = hash_bytes(options_.pairs->to_string(), hash);
  for (const std::string_view word : vocabulary()) hash = hash_bytes(word, hash_bytes(" ", hash));
  return hash;
}

}  // namespace scoville::dataset
