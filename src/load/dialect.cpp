#include "load/dialect.hpp"

#include "base/check.hpp"
#include "load/dialects.hpp"

namespace scoville::load {
namespace {

void read_error_object(const JsonObject& error, Chunk& out) {
  out.error_message = text_at(error, "message").value_or(text_at(error, "msg").value_or(""));
  out.error_param = text_at(error, "param").value_or("");
  for (const char* key : {"code", "type"}) {
    if (!out.error_code.empty()) break;
    if (const auto text = text_at(error, key)) {
      out.error_code = *text;
    } else if (const auto number = integer_at(error, key)) {
      out.error_code = std::to_string(*number);
    }
  }
}

}  // namespace

bool read_error(const JsonObject& frame, Chunk& out) {
  if (const auto error = object_at(frame, "error")) {
    out.is_error = true;
    read_error_object(*error, out);
  } else if (const auto sentence = text_at(frame, "error")) {
    out.is_error = true;
    out.error_message = *sentence;
    if (const auto type = text_at(frame, "error_type")) out.error_code = *type;
  } else if (text_at(frame, "object") == "error" || text_at(frame, "type") == "error") {
    out.is_error = true;
    read_error_object(frame, out);
  }
  return out.is_error;
}

std::unique_ptr<Dialect> make_dialect(plan::Dialect dialect) {
  switch (dialect) {
    case plan::Dialect::openai:
      return make_openai_chat();
    case plan::Dialect::openai_completions:
      return make_openai_completions();
    case plan::Dialect::ollama_chat:
      return make_ollama_chat();
    case plan::Dialect::ollama_generate:
      return make_ollama_generate();
    case plan::Dialect::tgi:
      return make_tgi();
    case plan::Dialect::triton:
      return make_triton();
    case plan::Dialect::openai_responses:
      return make_openai_responses();
    case plan::Dialect::openai_embeddings:
      return make_openai_embeddings();
    case plan::Dialect::mindie:
      return make_mindie();
    case plan::Dialect::lmdeploy:
      return make_lmdeploy();
  }
  SCOVILLE_CHECK(false, "every dialect has a maker");
}

}  // namespace scoville::load
