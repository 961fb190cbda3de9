#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/units.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {

/// What one request asks.
struct Prompt {
  std::string text;                       ///< empty where `messages_json` is given
  std::vector<std::string> more_texts;    ///< of the same request, for embeddings
  std::string messages_json;              ///< a JSON array in OpenAI's shape, to be sent as it is; else empty
  std::uint32_t asked_prompt_tokens = 0;  ///< as the server's usage.prompt_tokens should say; 0: not known
  std::uint32_t max_tokens = 0;           ///< 0: this prompt sets no limit
  std::uint64_t hash = 0;                 ///< of what is sent, for the share of distinct prompts
  std::string model;                      ///< instead of the run's: a LoRA adapter's name; empty: that one
  std::string body_json;                  ///< a whole request body instead, of the OpenAI dialects; else empty
};

/// Requests that follow each other: the turns of one conversation, or a request alone.
struct Chain {
  std::uint64_t first = 0;  ///< index of its first request; the others follow it
  std::uint32_t turns = 1;
};

/// Where prompts come from: request 17 gets the same one whichever thread asks, and nothing is made before it is
/// needed, so the first request leaves at once however many are to come.
///
/// Requests are numbered without a gap, chain after chain. A source without conversations has one request a chain.
///
/// Thread-safe: all members are const and keep no state.
class PromptSource {
 public:
  virtual ~PromptSource() = default;

  /// The first request of a chain; `index` is Chain::first.
  virtual Prompt make(std::uint64_t index) const = 0;

  /// Chain 0, 1, 2, …: those of a file come from its beginning again when it is used up.
  virtual Chain chain(std::uint64_t number) const { return {number, 1}; }
  /// The turn of chain `number` that follows `answers`, which are what the server really said, one for each turn
  /// before; at least one, fewer than its turns.
  virtual Prompt follow_up(std::uint64_t /*number*/, std::span<const std::string> /*answers*/) const {
    SCOVILLE_CHECK(false, "a source without conversations has no second turn");
  }
  /// How long its user thinks before turn 1, 2, …, from the end of the answer before.
  virtual Nanos think_time(std::uint64_t /*number*/, std::uint32_t /*turn*/) const { return Nanos::zero(); }
  /// When a recorded chain began, from the start of its trace; never earlier than the one before. Empty: no times were
  /// recorded, or the trace is over.
  virtual std::optional<Nanos> recorded_at(std::uint64_t /*number*/) const { return std::nullopt; }
  /// Prompts begin alike on purpose: what a prefix cache then saves is part of the load.
  virtual bool shares_prefixes() const { return false; }
  /// Requests of its file, before it begins anew; empty: there is no end.
  virtual std::optional<std::uint64_t> size() const { return std::nullopt; }

  /// One phrase for reports: "synthetic prompts of 512 tokens".
  virtual text::Phrase describe() const = 0;
  /// Equal for equal workloads. What changes from run to run on purpose (the salt) is outside it.
  virtual std::uint64_t dataset_hash() const = 0;
  /// Other salt from now on, where there is any: a repeat must not find the prompts of the run before in a cache.
  /// Between runs only.
  virtual void set_salt(std::uint64_t) {}
};

}  // namespace scoville::dataset
