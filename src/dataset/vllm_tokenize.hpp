#pragma once

#include <string>
#include <utility>

#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// vLLM: POST /tokenize with {"model", "messages"} (chat template applied, no second BOS) or {"model", "prompt"} (BOS
/// added, as for completions) answers {"count": n}.
class VllmTokenize : public TokenCounter {
 public:
  VllmTokenize(Post post, std::string model, Api api) : post_(std::move(post)), model_(std::move(model)), api_(api) {}

  Result<std::int64_t> count(const std::string& prompt) override;
  std::string name() const override;

 private:
  Post post_;
  std::string model_;
  Api api_;
};

}  // namespace scoville::dataset
