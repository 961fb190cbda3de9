#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "dataset/jsonl_rows.hpp"

namespace scoville::workload {

/// What a log keeps of a prompt: its shape, no words. Hashes are salted: they compare within one recording alone.
struct PromptShape {
  std::string roles;                          ///< a letter a message: s system, u user, a assistant, t tool, o other
  std::vector<std::uint64_t> message_hashes;  ///< of role and content
  std::vector<std::uint32_t> message_chars;
  /// Of all text up to the end of each whole block of `block_chars` characters: equal hashes are equal beginnings.
  std::vector<std::uint64_t> prefix_hashes;
  std::uint64_t chars = 0;        ///< of the whole prompt, roles and tools with it, in Unicode characters
  std::uint64_t token_ids = 0;    ///< of a prompt given as numbers
  std::uint64_t other_parts = 0;  ///< images and the like, which are in no count
};

/// One request as a log tells of it. What the log does not say is empty.
struct LoggedRequest {
  std::uint64_t line = 0;   ///< of its file, from 1
  std::optional<Nanos> at;  ///< when it had come, since 1970
  std::string method, path, model;
  std::string session;  ///< who goes on with a conversation; hashed in a recording
  std::optional<int> status;
  std::string failure;  ///< its class; empty: none
  bool is_stream = false;
  std::optional<std::uint32_t> input_tokens, output_tokens, cached_tokens, max_tokens;
  std::optional<Nanos> ttft, e2e;  ///< from `at`
  std::optional<std::uint64_t> answer_chars, chunks;
  std::optional<std::uint64_t> request_bytes, answer_bytes;
  std::optional<PromptShape> prompt;
  /// Of its answer as a message of the assistant: what PromptShape::message_hashes of the next turn then hold.
  std::optional<std::uint64_t> answer_hash;

  bool has_failed() const { return !failure.empty() || (status && *status >= 400); }
};

/// What one file holds.
struct LogRows {
  std::vector<LoggedRequest> rows;
  std::vector<dataset::BadLine> bad;
  std::uint64_t skipped = 0;      ///< lines that are no requests for text
  std::uint32_t block_chars = 0;  ///< of PromptShape::prefix_hashes; 0: there are none
  bool has_coarse_times = false;  ///< whole seconds only
};

}  // namespace scoville::workload
