#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace scoville::environment {

/// What stands in place of a secret.
inline constexpr std::string_view kMasked = "***";

/// Whether a flag, member or variable of this name may hold a secret: key, token, secret, password, credential… as
/// part of it. The names of the trade that only sound so ("max_total_tokens", "tokenizer", "key_value_heads") may not.
bool is_secret_name(std::string_view name);

/// Members with such a name become "***", at every depth.
json::value masked(const json::value& value);

/// A command line without its secrets: the value of such a flag ("--api-key X Y", "--api-key=X"), of such a variable
/// ("HF_TOKEN=X"), within JSON, in a URL ("http://user:X@host") or a header ("Bearer X"), and what looks like a key.
std::vector<std::string> masked_arguments(std::vector<std::string> arguments);

}  // namespace scoville::environment
