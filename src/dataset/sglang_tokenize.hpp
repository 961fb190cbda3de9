#pragma once

#include <string>
#include <utility>

#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// SGLang: POST /v1/tokenize (older: /tokenize) with {"model", "prompt"} answers {"count": n}. It takes no messages:
/// for chat it counts the text alone, and the template is learned from one real request.
class SglangTokenize : public TokenCounter {
 public:
  SglangTokenize(Post post, std::string model, Api api) : post_(std::move(post)), model_(std::move(model)), api_(api) {}

  Result<std::int64_t> count(const std::string& prompt) override;
  std::string name() const override;
  bool is_whole_request() const override { return api_ == Api::completions; }

 private:
  Post post_;
  std::string model_;
  Api api_;
  std::string path_ = "/v1/tokenize";
};

}  // namespace scoville::dataset
