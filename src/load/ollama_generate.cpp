#include "load/dialects.hpp"
#include "load/ollama.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

class OllamaGenerate final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/api/generate"; }
  bool has_end_frame() const override { return true; }
  bool is_line_delimited() const override { return true; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    json::object body = ollama_request(prompt, shape);
    body["prompt"] = prompt.text;
    return with_extra(std::move(body), shape);
  }

  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS || read_error(root, out)) return;
    ChoiceDelta& delta = out.choices.emplace_back();
    delta.answer = text_at(root, "response").value_or("");
    delta.reasoning = text_at(root, "thinking").value_or("");
    delta.has_token = !delta.answer.empty() || !delta.reasoning.empty();
    read_ollama_end(root, delta, out);
  }
};

}  // namespace

std::unique_ptr<Dialect> make_ollama_generate() { return std::make_unique<OllamaGenerate>(); }

}  // namespace scoville::load
