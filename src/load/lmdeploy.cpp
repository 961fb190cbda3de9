#include "load/dialects.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

/// LMDeploy's own API, POST /generate: events with the text that is new and counts so far, then "[DONE]".
///
/// Its older one, /v1/chat/interactive (lines of JSON under an event stream's content type, "text", "tokens"), has left
/// the current servers and is not spoken; servers of both ages have the chat API of the `openai` dialect. SGLang's
/// /generate answers in the same shape with all of the text so far, which is seen and flagged, but asks otherwise.
class LmDeploy final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/generate"; }
  bool has_done_marker() const override { return true; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    json::object body{{"prompt", prompt.text}, {"stream", true}};
    if (const std::uint32_t limit = token_limit(prompt, shape)) body["max_tokens"] = limit;
    if (shape.ignore_eos) body["ignore_eos"] = true;
    if (shape.temperature) body["temperature"] = *shape.temperature;
    if (shape.top_p) body["top_p"] = *shape.top_p;
    return with_extra(std::move(body), shape);
  }

  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS || read_error(root, out)) return;
    const auto text = text_at(root, "text");
    const auto meta = object_at(root, "meta_info");
    if (!text && !meta) return;
    ChoiceDelta& delta = out.choices.emplace_back();
    delta.answer = text.value_or("");
    delta.has_token = !delta.answer.empty();
    if (!meta) return;
    if (const auto reason = object_at(*meta, "finish_reason")) {
      delta.finish_reason = text_at(*reason, "type").value_or("");
    } else {
      delta.finish_reason = text_at(*meta, "finish_reason").value_or("");
    }
    delta.has_finish = !delta.finish_reason.empty();
    out.prompt_tokens = integer_at(*meta, "prompt_tokens");
    out.completion_tokens = integer_at(*meta, "completion_tokens");
  }
};

}  // namespace

std::unique_ptr<Dialect> make_lmdeploy() { return std::make_unique<LmDeploy>(); }

}  // namespace scoville::load
