#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::dataset {

/// One usable line of a file of prompts.
struct JsonlRow {
  std::uint64_t line = 0;                ///< from 1
  std::string text;                      ///< "prompt" or "text"
  std::string messages_json;             ///< "messages", the characters of the file; or made of "content"
  std::vector<std::string> image_files;  ///< beside "prompt": paths, as the file has them
  std::optional<std::uint32_t> prompt_tokens,
      output_tokens;  ///< as the file has them ("max_tokens" counts as the latter)
};

/// One line that cannot be used, and why, in words.
struct BadLine {
  std::uint64_t line = 0;
  std::optional<std::uint64_t> offset;  ///< of the first byte that is no UTF-8, from 0 at the start of the line
  std::string reason;
};

struct JsonlRows {
  std::vector<JsonlRow> rows;
  std::vector<BadLine> bad;
};

/// What a row must have: a prompt to send, or the two numbers of a table of lengths.
enum class RowNeeds { prompt, lengths };

/// Reads JSON, one value a line: {"prompt": "…", "output_tokens"?: n, "image_files"?: ["…"]}, {"text": "…"},
/// {"messages": […]}, {"content": [parts of a user's message]}, or a bare array of messages.
///
/// A line that is no UTF-8, no JSON or has no prompt goes to `bad` and never into a request: bytes are not replaced in
/// silence, because each replacement changes the prompt's length. Empty lines, "\r\n" and a byte order mark are no
/// fault.
JsonlRows parse_jsonl(std::string_view content, RowNeeds needs = RowNeeds::prompt);

/// The lines (from 1) whose prompt and output fit a context of `limit` tokens, and those that do not. Rows without
/// prompt_tokens are in neither.
struct ContextFit {
  std::vector<std::uint64_t> fit, dropped;
};
ContextFit fit_context(std::span<const JsonlRow> rows, std::uint32_t limit);

/// Byte offset of the first byte that begins no UTF-8 character; empty where all is well.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

}  // namespace scoville::dataset
