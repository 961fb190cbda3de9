#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "endpoint/event_text.hpp"
#include "endpoint/generation_request.hpp"

namespace scoville::endpoint {

/// One request being answered by the engine: its choices, and their text as it comes.
///
/// asked → accepted() of every choice → said() … → finished() of every choice, then is_over(). Knows no sockets: what
/// is to be written is appended to `out`.
class ModelAnswer {
 public:
  ModelAnswer(const GenerationRequest& request, std::uint64_t number, std::int64_t created);

  bool is_stream() const { return request_.stream; }
  /// True once the engine has taken all choices: a stream may begin.
  bool accepted(std::uint64_t prompt_tokens);
  bool has_begun() const { return accepted_ == request_.choices; }
  /// What precedes the first token of a stream.
  void open(std::string& out) const;
  void said(std::string& out, std::uint64_t choice, std::string_view text);
  /// `reason`: "stop" or "length".
  void finished(std::string& out, std::uint64_t choice, std::string_view reason, std::string_view rest);
  bool is_over() const { return over_ == request_.choices; }

  /// The end of a stream, or the whole body.
  void end(std::string& out) const;
  /// The end of a stream that fails.
  static void fail(std::string& out, const ApiError& error);

  std::uint64_t prompt_tokens() const { return prompt_tokens_; }
  std::uint64_t tokens() const { return tokens_; }

 private:
  struct Choice {
    std::string text, reason;
  };
  UsageCounts usage() const { return {prompt_tokens_, tokens_, {}}; }

  GenerationRequest request_;
  EventText text_;
  std::vector<Choice> choices_;
  std::uint64_t accepted_ = 0, over_ = 0, prompt_tokens_ = 0, tokens_ = 0;
};

}  // namespace scoville::endpoint
