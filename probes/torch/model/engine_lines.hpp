#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/json.hpp"
#include "model/engine.hpp"
#include "model/tokenizer.hpp"

namespace scoville::torch_probe::model {

/// What one line on the engine's standard input asks for (docs/formats/engine.md).
struct Cancel {
  std::uint64_t id = 0;
};
struct Tokenize {
  std::uint64_t id = 0;
  std::vector<std::int64_t> ids;
};
/// A line that asks for nothing we can do. `id` null: it had none.
struct Refused {
  json::value id;
  std::string reason, message;
};
using Asked = std::variant<Generate, Cancel, Tokenize, Refused>;

/// Reads a line, its text already turned into tokens. `context`: tokens that prompt and answer may have together;
/// `vocab`: ids that there are.
Asked read_line(std::string_view line, const Tokenizer& tokenizer, std::int64_t context, std::int64_t vocab);

std::string token_line(std::uint64_t id, const TokenMade& made);
std::string accepted_line(std::uint64_t id, std::size_t prompt_tokens);
std::string done_line(std::uint64_t id, const char* how, std::string_view text, std::int64_t prompt_tokens,
                      std::int64_t completion_tokens);
std::string ids_line(const Tokenize& answer);
std::string error_line(const Refused& refused);

}  // namespace scoville::torch_probe::model
