#pragma once

#include <cstdint>
#include <string>

#include "text/catalogue.hpp"

namespace scoville::dataset {

/// What one request asks.
struct Prompt {
  std::string text;                       ///< empty where `messages_json` is given
  std::string messages_json;              ///< a JSON array in OpenAI's shape, to be sent as it is; else empty
  std::uint32_t asked_prompt_tokens = 0;  ///< as the server's usage.prompt_tokens should say; 0: not known
  std::uint32_t max_tokens = 0;           ///< 0: this prompt sets no limit
  std::uint64_t hash = 0;                 ///< of what is sent, for the share of distinct prompts
};

/// Where prompts come from: request 17 gets the same one whichever thread asks, and nothing is made before it is
/// needed, so the first request leaves at once however many are to come.
///
/// Thread-safe: all members are const and keep no state.
class PromptSource {
 public:
  virtual ~PromptSource() = default;

  virtual Prompt make(std::uint64_t index) const = 0;
  /// One phrase for reports: "synthetic prompts of 512 tokens".
  virtual text::Phrase describe() const = 0;
  /// Equal for equal workloads. What changes from run to run on purpose (the salt) is outside it.
  virtual std::uint64_t dataset_hash() const = 0;
  /// Other salt from now on, where there is any: a repeat must not find the prompts of the run before in a cache.
  /// Between runs only.
  virtual void set_salt(std::uint64_t) {}
};

}  // namespace scoville::dataset
