#include "dataset/sglang_tokenize.hpp"

#include "dataset/tokenize_call.hpp"

namespace scoville::dataset {

std::string SglangTokenize::name() const { return path_ + " (SGLang)"; }

Result<std::int64_t> SglangTokenize::count(const std::string& prompt) {
  const json::object body{{"model", model_}, {"prompt", prompt}};
  auto answer = post_json(post_, path_, body);
  if (!answer && answer.error().code == ErrorCode::unsupported && path_ == "/v1/tokenize") {
    path_ = "/tokenize";
    answer = post_json(post_, path_, body);
  }
  if (!answer) return std::move(answer.error());
  return count_field(*answer, path_);
}

}  // namespace scoville::dataset
