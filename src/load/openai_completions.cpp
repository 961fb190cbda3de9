#include "load/dialects.hpp"
#include "load/openai.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

class OpenAiCompletions final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/v1/completions"; }
  bool has_done_marker() const override { return true; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    if (!prompt.body_json.empty()) return given_body(prompt, shape, openai_streaming(shape));
    json::object body = openai_request(prompt, shape);
    body["prompt"] = prompt.text;
    return with_extra(std::move(body), shape);
  }

  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS || read_error(root, out)) return;
    if (const auto choices = array_at(root, "choices")) {
      for (const Json each : *choices) {
        JsonObject choice;
        if (each.get(choice) != simdjson::SUCCESS) continue;
        ChoiceDelta& delta = out.choices.emplace_back();
        delta.index = choice_index(choice);
        delta.answer = text_at(choice, "text").value_or("");
        for (const char* name : {"reasoning_content", "reasoning"}) {
          if (delta.reasoning.empty()) delta.reasoning = text_at(choice, name).value_or("");
        }
        delta.has_token = !delta.answer.empty() || !delta.reasoning.empty();
        delta.exact_tokens = exact_tokens(choice, "tokens");
        read_openai_finish(choice, delta);
      }
    }
    read_openai_usage(root, out);
  }
};

}  // namespace

std::unique_ptr<Dialect> make_openai_completions() { return std::make_unique<OpenAiCompletions>(); }

}  // namespace scoville::load
