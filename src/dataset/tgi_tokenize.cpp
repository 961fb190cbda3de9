#include "dataset/tgi_tokenize.hpp"

#include "dataset/tokenize_call.hpp"

namespace scoville::dataset {

std::string TgiTokenize::name() const { return api_ == Api::chat ? "/chat_tokenize (TGI)" : "/tokenize (TGI)"; }

Result<std::int64_t> TgiTokenize::count(const std::string& prompt) {
  if (api_ == Api::completions) {
    const std::string path = "/tokenize";
    auto answer = post_json(post_, path, json::object{{"inputs", prompt}});
    if (!answer) return std::move(answer.error());
    return length_of(&*answer, path);
  }
  const std::string path = "/chat_tokenize";
  auto answer = post_json(post_, path, {{"model", model_}, {"messages", user_message(prompt)}});
  if (!answer) return std::move(answer.error());
  const json::object* fields = answer->if_object();
  return length_of(fields ? fields->if_contains("tokenize_response") : nullptr, path);
}

}  // namespace scoville::dataset
