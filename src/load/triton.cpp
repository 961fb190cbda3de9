#include "load/dialects.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

/// Triton's generate extension, POST /v2/models/MODEL/generate_stream: events with text_output, no end marker.
class Triton final : public Dialect {
 public:
  std::string path(const plan::RequestShape& shape) const override {
    return "/v2/models/" + shape.model + "/generate_stream";
  }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    json::object body{{"text_input", prompt.text}, {"stream", true}};
    if (const std::uint32_t limit = token_limit(prompt, shape)) body["max_tokens"] = limit;
    if (shape.temperature) body["temperature"] = *shape.temperature;
    if (shape.top_p) body["top_p"] = *shape.top_p;
    return with_extra(std::move(body), shape);
  }

  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS || read_error(root, out)) return;
    ChoiceDelta& delta = out.choices.emplace_back();
    delta.answer = text_at(root, "text_output").value_or("");
    delta.has_token = !delta.answer.empty();
    if (const auto ids = array_at(root, "output_token_ids"))
      delta.exact_tokens = static_cast<std::int32_t>(ids->size());
    delta.finish_reason = text_at(root, "finish_reason").value_or("");
    delta.has_finish = !delta.finish_reason.empty();
    if (!delta.has_finish) {
      bool is_final = false;
      if (root["triton_final_response"].get(is_final) == simdjson::SUCCESS && is_final) {
        delta.finish_reason = "stop";
        delta.has_finish = true;
      }
    }
    out.completion_tokens = integer_at(root, "output_tokens");
    out.prompt_tokens = integer_at(root, "input_tokens");
    const auto details = object_at(root, "details");  // MindIE has them there
    if (!details) return;
    if (!delta.has_finish) delta.finish_reason = text_at(*details, "finish_reason").value_or("");
    delta.has_finish = !delta.finish_reason.empty();
    if (!out.completion_tokens) out.completion_tokens = integer_at(*details, "generated_tokens");
  }
};

}  // namespace

std::unique_ptr<Dialect> make_triton() { return std::make_unique<Triton>(); }

}  // namespace scoville::load
