#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "relay/sighting.hpp"
#include "workload/openai_log.hpp"

namespace scoville::relay {

/// What an answer says of itself.
struct AnswerFacts {
  workload::Usage usage;
  std::optional<Instant> first_token;   ///< the piece with the first non-empty delta; of a whole answer: none
  std::optional<std::uint64_t> chunks;  ///< events with text; of a stream alone
  std::optional<std::uint64_t> chars;   ///< of all text in it
  std::string text;
  std::string content;  ///< of it what clients send back as history: no thoughts, no calls
  std::string model;
  bool has_ended = false;  ///< the end marker of a stream came, or the whole of another answer
  bool has_error = false;  ///< an error within a stream
};

/// Reads a stream of events in the dialects of OpenAI (chat, completions, responses) and Anthropic, or a JSON answer,
/// packed or not. What cannot be read stays empty. Pure.
AnswerFacts read_answer(const Sighting& sighting);

}  // namespace scoville::relay
