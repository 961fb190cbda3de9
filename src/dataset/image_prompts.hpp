#pragma once

#include <cstdint>
#include <memory>

#include "dataset/noise_image.hpp"
#include "dataset/prompt_source.hpp"

namespace scoville::dataset {

struct ImageOptions {
  std::uint32_t per_request = 0;  ///< 0: none
  std::uint32_t width = 512, height = 512;
};

/// The single requests of another source, each with noise images behind its text: OpenAI's chat API, images as data
/// URLs. No two requests of this run or of an earlier one share an image.
///
/// How many tokens an image is, only the server knows, so prompts have no length asked for. Thread-safe.
class ImagePrompts : public PromptSource {
 public:
  ImagePrompts(std::unique_ptr<PromptSource> texts, const ImageOptions& options, std::uint64_t seed,
               std::uint64_t salt);

  Prompt make(std::uint64_t index) const override;
  std::optional<std::uint64_t> size() const override { return texts_->size(); }
  text::Phrase describe() const override;
  std::uint64_t dataset_hash() const override;
  void set_salt(std::uint64_t salt) override;

 private:
  std::unique_ptr<PromptSource> texts_;
  ImageOptions options_;
  NoiseImages images_;
  std::uint64_t salt_;
};

}  // namespace scoville::dataset
