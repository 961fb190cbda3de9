#pragma once

#include <string>
#include <utility>

#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// TGI: POST /tokenize with {"inputs"} answers a list of tokens; for chat, /chat_tokenize with {"model", "messages"}
/// answers {"tokenize_response": […]}.
class TgiTokenize : public TokenCounter {
 public:
  TgiTokenize(Post post, std::string model, Api api) : post_(std::move(post)), model_(std::move(model)), api_(api) {}

  Result<std::int64_t> count(const std::string& prompt) override;
  std::string name() const override;

 private:
  Post post_;
  std::string model_;
  Api api_;
};

}  // namespace scoville::dataset
