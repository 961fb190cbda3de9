#pragma once

#include <string>

#include "base/json.hpp"
#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// POST `body`, read JSON. An answer outside 2xx is `unsupported`, one that is not JSON `protocol`.
Result<json::value> post_json(const Post& post, const std::string& path, const json::value& body);

/// [{"role": "user", "content": prompt}]
json::array user_message(const std::string& prompt);

/// The answer came but has not the shape that this engine's documentation promises. Code `protocol`.
Error unexpected_answer(const std::string& path);

/// Member "count" of {"count": n}, n above 0.
Result<std::int64_t> count_field(const json::value& answer, const std::string& path);

/// Items of a list of tokens; an Error where it is none, or empty: a prompt has a token.
Result<std::int64_t> length_of(const json::value* tokens, const std::string& path);

}  // namespace scoville::dataset
