#pragma once

#include <string>
#include <utility>

#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// llama.cpp: POST /tokenize with {"content", "add_special", "parse_special"} answers {"tokens": […]}; for chat,
/// /apply-template makes the content first.
///
/// The server tokenizes its own prompts with both flags on, so the same is asked here. Where a template writes a BOS
/// that the tokenizer adds again, the server may send both or strip one, by its version; taking one off here would be a
/// guess. The figure of a real request decides (LengthModel::confirm).
class LlamacppTokenize : public TokenCounter {
 public:
  LlamacppTokenize(Post post, Api api) : post_(std::move(post)), api_(api) {}

  Result<std::int64_t> count(const std::string& prompt) override;
  std::string name() const override;

 private:
  Post post_;
  Api api_;
};

}  // namespace scoville::dataset
