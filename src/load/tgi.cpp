#include "load/dialects.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

/// Text Generation Inference, POST /generate_stream: one object a token, no end marker; the last one carries details.
class Tgi final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/generate_stream"; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    json::object parameters{{"details", true}, {"decoder_input_details", false}};
    if (const std::uint32_t limit = token_limit(prompt, shape)) parameters["max_new_tokens"] = limit;
    if (shape.ignore_eos) parameters["ignore_eos_token"] = true;
    if (shape.temperature) parameters["temperature"] = *shape.temperature;
    if (shape.top_p) parameters["top_p"] = *shape.top_p;
    if (!prompt.model.empty()) parameters["adapter_id"] = prompt.model;
    return with_extra({{"inputs", prompt.text}, {"parameters", std::move(parameters)}, {"stream", true}}, shape);
  }

  void interpret(const Json& frame, Chunk& out) const override {
    out.clear();
    JsonObject root;
    if (frame.get(root) != simdjson::SUCCESS || read_error(root, out)) return;
    ChoiceDelta& delta = out.choices.emplace_back();
    if (const auto token = object_at(root, "token")) {
      bool is_special = false;
      if ((*token)["special"].get(is_special) != simdjson::SUCCESS) is_special = false;
      delta.has_token = true;  // the special end token too: it was generated
      delta.exact_tokens = 1;
      if (!is_special) delta.answer = text_at(*token, "text").value_or("");
    }
    if (const auto details = object_at(root, "details")) {
      delta.finish_reason = text_at(*details, "finish_reason").value_or("");
      delta.has_finish = !delta.finish_reason.empty();
      out.completion_tokens = integer_at(*details, "generated_tokens");
      out.prompt_tokens = integer_at(*details, "input_length");
    }
  }
};

}  // namespace

std::unique_ptr<Dialect> make_tgi() { return std::make_unique<Tgi>(); }

}  // namespace scoville::load
