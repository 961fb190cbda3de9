#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/request_record.hpp"

namespace scoville::load {

/// What one frame says about one choice. Views live until the next frame is read.
struct ChoiceDelta {
  std::uint8_t index = 0;
  std::string_view answer, reasoning;
  bool has_token = false;          ///< non-empty text in any channel, or a native token object
  std::int32_t exact_tokens = -1;  ///< length of a logprob or token-id list; -1: none
  bool has_finish = false;
  std::string_view finish_reason;
  std::string_view whole;  ///< all of the answer so far, where the last frame repeats it: it holds, not the pieces
};

/// One frame of an answer, whatever the dialect. A field that the frame does not have stays empty.
struct Chunk {
  std::vector<ChoiceDelta> choices;
  std::optional<std::int64_t> prompt_tokens, completion_tokens, cached_tokens;
  bool is_error = false;
  std::string error_message, error_param, error_code;
  bool is_end = false;                  ///< the dialect's own end marker ("done": true)
  std::optional<std::int64_t> emit_ns;  ///< CLOCK_MONOTONIC reading of a scripted endpoint just before it sent this
  std::optional<event::ServerTimings> server;
  std::optional<double> server_decode_s;  ///< the decode time that server->decode_tokens_per_s was made from

  /// Texts put together from parts live here: a deque, so that one more moves none that is in view.
  std::deque<std::string> joined;

  void clear() {
    choices.clear();
    prompt_tokens.reset();
    completion_tokens.reset();
    cached_tokens.reset();
    is_error = is_end = false;
    error_message.clear();
    error_param.clear();
    error_code.clear();
    emit_ns.reset();
    server.reset();
    server_decode_s.reset();
    joined.clear();
  }
};

}  // namespace scoville::load
