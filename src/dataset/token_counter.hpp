#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "wire/fetch.hpp"

namespace scoville::dataset {

/// The API under test: the same text costs more tokens as a chat message, by the model's template.
enum class Api { chat, completions };

/// How a counter reaches the server: POST of a JSON body to a path of its root ("/tokenize"). Injected, so that tests
/// need no socket. An Error means that no whole answer came; any status is a Response.
using Post = std::function<Result<wire::Response>(const std::string& path, const std::string& json_body)>;

/// Asks how many prompt tokens a request with this text has: chat template and BOS included, as in usage.prompt_tokens.
class TokenCounter {
 public:
  virtual ~TokenCounter() = default;

  virtual Result<std::int64_t> count(const std::string& prompt) = 0;
  /// How it counts, for people: "/tokenize (vLLM)".
  virtual std::string name() const = 0;
  /// False: the template is not in the count, and one figure from a real request is needed (LengthModel::confirm).
  virtual bool is_whole_request() const { return true; }
  /// How many counts a search may spend: a tokenizer answers in a millisecond, a generation may take seconds.
  virtual int max_probes() const { return 40; }
};

}  // namespace scoville::dataset
