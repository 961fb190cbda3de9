#include "load/dialects.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

/// Ids of the tokens in one frame: a number in MindIE 1.0, a list since.
std::int32_t ids_of(const JsonObject& token) {
  if (const auto ids = array_at(token, "id")) return static_cast<std::int32_t>(ids->size());
  return integer_at(token, "id") ? 1 : -1;
}

/// MindIE's own API, POST /infer: an object a token, without an end marker. The last one repeats the whole answer as
/// `generated_text`, carries the details, and has no text of its own, though its token may have one.
///
/// Neither the length of the prompt nor a way to ignore the end token is documented. "stop_sequence" as a reason means
/// cancelled there.
class MindIe final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/infer"; }
  bool has_end_frame() const override { return true; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    json::object parameters{{"details", true}};
    if (const std::uint32_t limit = token_limit(prompt, shape)) parameters["max_new_tokens"] = limit;
    if (shape.temperature) parameters["temperature"] = *shape.temperature;
    if (shape.top_p) parameters["top_p"] = *shape.top_p;
    return with_extra({{"inputs", prompt.text}, {"stream", true}, {"parameters", std::move(parameters)}}, shape);
  }

  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS || read_error(root, out)) return;
    const auto token = object_at(root, "token");
    const auto whole = text_at(root, "generated_text");
    if (!token && !whole) return;
    ChoiceDelta& delta = out.choices.emplace_back();
    if (token) {
      delta.answer = text_at(*token, "text").value_or("");
      delta.exact_tokens = ids_of(*token);
      delta.has_token = !delta.answer.empty() || delta.exact_tokens > 0;
      delta.whole = whole.value_or("");
    } else {
      delta.answer = *whole;
    }
    out.is_end = whole.has_value();
    if (const auto details = object_at(root, "details")) {
      delta.finish_reason = text_at(*details, "finish_reason").value_or("");
      delta.has_finish = !delta.finish_reason.empty();
      out.completion_tokens = integer_at(*details, "generated_tokens");
    }
  }
};

}  // namespace

std::unique_ptr<Dialect> make_mindie() { return std::make_unique<MindIe>(); }

}  // namespace scoville::load
