#include "dataset/llamacpp_tokenize.hpp"

#include "dataset/tokenize_call.hpp"

namespace scoville::dataset {

std::string LlamacppTokenize::name() const {
  return api_ == Api::chat ? "/apply-template + /tokenize (llama.cpp)" : "/tokenize (llama.cpp)";
}

Result<std::int64_t> LlamacppTokenize::count(const std::string& prompt) {
  json::value content = json::string(prompt);
  if (api_ == Api::chat) {
    const std::string path = "/apply-template";
    auto templated = post_json(post_, path, json::object{{"messages", user_message(prompt)}});
    if (!templated) return std::move(templated.error());
    const json::object* fields = templated->if_object();
    const json::value* text = fields ? fields->if_contains("prompt") : nullptr;
    if (!text || !text->is_string()) return unexpected_answer(path);
    content = *text;
  }
  const std::string path = "/tokenize";
  auto answer = post_json(post_, path, {{"content", content}, {"add_special", true}, {"parse_special", true}});
  if (!answer) return std::move(answer.error());
  const json::object* fields = answer->if_object();
  return length_of(fields ? fields->if_contains("tokens") : nullptr, path);
}

}  // namespace scoville::dataset
