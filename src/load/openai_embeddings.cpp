#include "load/dialects.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

/// OpenAI's embeddings API, and vLLM's /pooling, which answers in the same shape: one JSON body, no tokens.
class OpenAiEmbeddings final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/v1/embeddings"; }
  bool makes_tokens() const override { return false; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    if (!prompt.body_json.empty()) return given_body(prompt, shape, {});
    json::object body{{"model", model_of(prompt, shape)}};
    if (prompt.more_texts.empty()) {
      body["input"] = prompt.text;
    } else {
      json::array texts{json::string(prompt.text)};
      for (const std::string& each : prompt.more_texts) texts.push_back(json::string(each));
      body["input"] = std::move(texts);
    }
    return with_extra(std::move(body), shape);
  }

  /// Good is an answer with vectors in it, whatever their coding (numbers, base64). They are not looked at.
  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS || read_error(root, out)) return;
    if (const auto usage = object_at(root, "usage")) {
      out.prompt_tokens = integer_at(*usage, "prompt_tokens");
      if (!out.prompt_tokens) out.prompt_tokens = integer_at(*usage, "total_tokens");
    }
    out.emit_ns = integer_at(root, "emit_ns");
    const auto data = array_at(root, "data");
    if (data && data->size() > 0) out.choices.emplace_back();
  }
};

}  // namespace

std::unique_ptr<Dialect> make_openai_embeddings() { return std::make_unique<OpenAiEmbeddings>(); }

}  // namespace scoville::load
