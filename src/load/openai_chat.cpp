#include "load/dialects.hpp"
#include "load/openai.hpp"
#include "load/request_body.hpp"

namespace scoville::load {
namespace {

/// Collects the text of one channel: a view where it comes in one piece, a joined copy where it does not.
class Channel {
 public:
  explicit Channel(std::deque<std::string>& joined) : joined_(joined) {}

  void add(std::string_view piece) {
    if (piece.empty()) return;
    if (view_.empty()) {
      view_ = piece;
      return;
    }
    if (!copy_) copy_ = &joined_.emplace_back(view_);
    *copy_ += piece;
  }
  std::string_view text() const { return copy_ ? std::string_view(*copy_) : view_; }

 private:
  std::deque<std::string>& joined_;
  std::string* copy_ = nullptr;
  std::string_view view_;
};

/// The text of a list of typed parts: text parts to `answer`, thinking parts to `reasoning`, others to neither.
void read_parts(const simdjson::dom::array& parts, Channel& answer, Channel& reasoning) {
  for (const Json part : parts) {
    if (std::string_view plain; part.get(plain) == simdjson::SUCCESS) {
      answer.add(plain);
      continue;
    }
    JsonObject object;
    if (part.get(object) != simdjson::SUCCESS) continue;
    if (const auto nested = array_at(object, "thinking")) {
      read_parts(*nested, reasoning, reasoning);
    } else if (const auto thought = text_at(object, "thinking")) {
      reasoning.add(*thought);
    } else if (const auto text = text_at(object, "text")) {
      const std::string_view type = text_at(object, "type").value_or("");
      (type.find("reasoning") != std::string_view::npos || type.find("thinking") != std::string_view::npos ? reasoning
                                                                                                           : answer)
          .add(*text);
    }
  }
}

/// Names and arguments of tool calls: tokens, though no answer text.
bool has_tool_text(const JsonObject& delta) {
  const auto has_words = [](const std::optional<JsonObject>& function) {
    return function &&
           (!text_at(*function, "name").value_or("").empty() || !text_at(*function, "arguments").value_or("").empty());
  };
  if (has_words(object_at(delta, "function_call"))) return true;
  if (const auto calls = array_at(delta, "tool_calls")) {
    for (const Json call : *calls) {
      JsonObject object;
      if (call.get(object) == simdjson::SUCCESS && has_words(object_at(object, "function"))) return true;
    }
  }
  return false;
}

void read_delta(const JsonObject& delta, ChoiceDelta& choice, Chunk& out) {
  Channel answer(out.joined), reasoning(out.joined);
  if (const auto content = text_at(delta, "content")) {
    answer.add(*content);
  } else if (const auto parts = array_at(delta, "content")) {
    read_parts(*parts, answer, reasoning);
  }
  // Several names for one thing; relays send the same text under two of them (case DEL-05).
  std::string_view thought;
  for (const char* name : {"reasoning_content", "reasoning", "thinking"}) {
    const auto text = text_at(delta, name);
    if (text && !text->empty() && *text != thought) reasoning.add(thought = *text);
  }
  if (thought.empty()) {
    if (const auto details = array_at(delta, "reasoning_details")) read_parts(*details, reasoning, reasoning);
  }
  choice.answer = answer.text();
  choice.reasoning = reasoning.text();
  choice.has_token = !choice.answer.empty() || !choice.reasoning.empty() ||
                     !text_at(delta, "refusal").value_or("").empty() || has_tool_text(delta);
}

class OpenAiChat final : public Dialect {
 public:
  std::string path(const plan::RequestShape&) const override { return "/v1/chat/completions"; }
  bool has_done_marker() const override { return true; }

  std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const override {
    if (!prompt.body_json.empty()) return given_body(prompt, shape, openai_streaming(shape));
    json::object body = openai_request(prompt, shape);
    return with_messages(std::move(body), prompt, shape);
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
        if (const auto content = object_at(choice, "delta")) {
          read_delta(*content, delta, out);
        } else if (const auto message = object_at(choice, "message")) {
          read_delta(*message, delta, out);
        }
        delta.exact_tokens = exact_tokens(choice, "content");
        read_openai_finish(choice, delta);
      }
    }
    read_openai_usage(root, out);
  }
};

}  // namespace

std::unique_ptr<Dialect> make_openai_chat() { return std::make_unique<OpenAiChat>(); }

}  // namespace scoville::load
