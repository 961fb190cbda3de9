#include "dataset/image_prompts.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/rng.hpp"
#include "dataset/image_files.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {
constexpr std::uint64_t kNumberStream = 0x64617461'0012;
}

ImagePrompts::ImagePrompts(std::unique_ptr<PromptSource> texts, const ImageOptions& options, std::uint64_t seed,
                           std::uint64_t salt)
    : texts_(std::move(texts)), options_(options), images_(options.width, options.height, seed), salt_(salt) {}

Prompt ImagePrompts::make(std::uint64_t index) const {
  Prompt prompt = texts_->make(index);
  std::vector<std::string> urls;
  Rng numbers(salt_, kNumberStream, index);
  for (std::uint32_t i = 0; i < options_.per_request; ++i) {
    const std::uint64_t number = numbers();
    urls.push_back(data_url("image/png", images_.png(number)));
    prompt.hash = hash_bytes(fmt::format("{}", number), prompt.hash);
  }
  prompt.messages_json = '[' + message_with_images(prompt.text, urls) + ']';
  prompt.text.clear();
  prompt.asked_prompt_tokens = 0;
  return prompt;
}

text::Phrase ImagePrompts::describe() const {
  const auto in = [this](text::Language language, const std::string& texts) {
    return text::say_in(language, text::Msg::image_prompts, texts, options_.per_request, options_.width,
                        options_.height);
  };
  const text::Phrase texts = texts_->describe();
  return {in(text::Language::english, texts.english), in(text::Language::chinese, texts.chinese)};
}

std::uint64_t ImagePrompts::dataset_hash() const {
  return hash_bytes(fmt::format("noise 1 {} {} {}", options_.per_request, options_.width, options_.height),
                    texts_->dataset_hash());
}

void ImagePrompts::set_salt(std::uint64_t salt) {
  salt_ = salt;
  texts_->set_salt(salt);
}

}  // namespace scoville::dataset
