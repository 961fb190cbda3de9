#include "dataset/detect_counter.hpp"

#include <vector>

#include "dataset/llamacpp_tokenize.hpp"
#include "dataset/sglang_tokenize.hpp"
#include "dataset/tgi_tokenize.hpp"
#include "dataset/vllm_tokenize.hpp"
#include "dataset/vocabulary.hpp"

namespace scoville::dataset {
namespace {

/// The server answered, but not to this question.
bool is_refusal(const Error& error) {
  return error.code == ErrorCode::unsupported || error.code == ErrorCode::protocol;
}

}  // namespace

Result<std::unique_ptr<TokenCounter>> detect_counter(const Post& post, const std::string& model, Api api) {
  std::vector<std::unique_ptr<TokenCounter>> candidates;
  candidates.push_back(std::make_unique<VllmTokenize>(post, model, api));
  candidates.push_back(std::make_unique<SglangTokenize>(post, model, api));
  candidates.push_back(std::make_unique<LlamacppTokenize>(post, api));
  candidates.push_back(std::make_unique<TgiTokenize>(post, model, api));
  for (auto& candidate : candidates) {
    auto tokens = candidate->count(std::string(kFirstWord));
    if (tokens) return std::move(candidate);
    if (!is_refusal(tokens.error())) return std::move(tokens.error());
  }
  return std::unique_ptr<TokenCounter>();
}

}  // namespace scoville::dataset
