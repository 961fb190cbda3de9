#include "dataset/vllm_tokenize.hpp"

#include "dataset/tokenize_call.hpp"

namespace scoville::dataset {

std::string VllmTokenize::name() const { return "/tokenize (vLLM)"; }

Result<std::int64_t> VllmTokenize::count(const std::string& prompt) {
  const std::string path = "/tokenize";
  json::object body{{"model", model_}};
  if (api_ == Api::chat) {
    body["messages"] = user_message(prompt);
    body["add_generation_prompt"] = true;
  } else {
    body["prompt"] = prompt;
  }
  auto answer = post_json(post_, path, body);
  if (!answer) return std::move(answer.error());
  return count_field(*answer, path);
}

}  // namespace scoville::dataset
