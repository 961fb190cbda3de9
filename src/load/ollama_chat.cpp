#include "load/dialects.hpp"
#include "load/ollama.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

class OllamaChat final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/api/chat"; }
  bool has_end_frame() const override { return true; }
  bool is_line_delimited() const override { return true; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    json::object body = ollama_request(prompt, shape);
    body["messages"] = chat_messages(prompt);
    return with_extra(std::move(body), shape);
  }

  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS || read_error(root, out)) return;
    ChoiceDelta& delta = out.choices.emplace_back();
    if (const auto message = object_at(root, "message")) {
      delta.answer = text_at(*message, "content").value_or("");
      delta.reasoning = text_at(*message, "thinking").value_or("");
      const auto calls = array_at(*message, "tool_calls");
      delta.has_token = !delta.answer.empty() || !delta.reasoning.empty() || (calls && calls->size() > 0);
    }
    read_ollama_end(root, delta, out);
  }
};

}  // namespace

std::unique_ptr<Dialect> make_ollama_chat() { return std::make_unique<OllamaChat>(); }

}  // namespace scoville::load
