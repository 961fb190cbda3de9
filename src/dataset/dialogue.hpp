#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dataset/jsonl_rows.hpp"

namespace scoville::dataset {

/// What a user says once, and what was answered.
struct DialogueTurn {
  std::string text;           ///< as plain text
  std::string messages_json;  ///< as OpenAI's message objects with commas between; empty: one user message of `text`
  bool has_more_than_text = false;  ///< images and the like, which only a chat API takes
  std::string answer;               ///< as it was recorded: only its length is of use
  std::uint32_t input_tokens = 0;   ///< of what the turn adds; 0: not known
  std::uint32_t output_tokens = 0;  ///< 0: not known
};

/// A recorded conversation.
struct Dialogue {
  std::uint64_t line = 0;  ///< in a JSON array its place; from 1
  std::string id;          ///< "id", where the row has one
  std::vector<DialogueTurn> turns;
};

struct Dialogues {
  std::vector<Dialogue> rows;
  std::vector<BadLine> bad;
};

/// ShareGPT: a JSON array, or one object a line, of {"id", "conversations": [{"from": "human", "value"}, …]}; also
/// with role and content, user, assistant and chatgpt. Leading answers are passed over, a leading system message goes
/// with the first turn; a turn needs its answer, and the first that lacks one ends the conversation.
Result<Dialogues> parse_sharegpt(std::string_view content);

/// {"messages": […]} or a bare array of OpenAI's messages a line. A turn is what stands between two answers; the last
/// one may have none, and {"output_tokens" or "max_tokens"} is then its limit.
Dialogues parse_message_dialogues(std::string_view content);

}  // namespace scoville::dataset
