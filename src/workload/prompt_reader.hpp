#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "workload/logged_request.hpp"

namespace scoville::workload {

/// Characters a hash of PromptShape::prefix_hashes goes on by.
inline constexpr std::uint32_t kBlockChars = 256;

/// Turns texts into numbers that nobody can turn back: SHA-256 behind a secret salt, cut to 64 bits.
///
/// The salt of a recording is random and is written nowhere, so that not even who has the file can look for a text that
/// they guess. Two salts make two numbers of one text.
class SaltedHash {
 public:
  /// Random, from the system.
  SaltedHash();
  explicit SaltedHash(std::string salt) : salt_(std::move(salt)) {}

  std::uint64_t of(std::string_view text) const;
  /// Of everything that led to `before`, and `text`.
  std::uint64_t chained(std::uint64_t before, std::string_view text) const;

 private:
  std::string salt_;
};

/// LoggedRequest::answer_hash of an answer with this content.
std::uint64_t hash_of_answer(std::string_view content, const SaltedHash& hash);

/// What a request for text says of itself, its prompt as hashes.
struct ReadRequest {
  std::string model;
  std::string session;  ///< as the client wrote it
  bool is_stream = false;
  std::optional<std::uint32_t> max_tokens;
  PromptShape prompt;
};

/// Reads a body of chat/completions (messages), completions (prompt), embeddings and responses (input, instructions)
/// or messages (system). Empty: it is none of them.
///
/// The prompt's text is that of tools, then of each message its role, a line feed, its text, a line feed: as a chat
/// template puts them one behind the other, so that what templates share is shared here. `session_field` names a member
/// ("metadata.chat") that is looked at before those that clients are known to use.
std::optional<ReadRequest> read_request(const json::object& body, const SaltedHash& hash,
                                        std::string_view session_field = {});

/// A JSON object of a line; empty: it is none. Deep ones are read too (schemas of tools), broken ones never throw.
std::optional<json::object> parse_object(std::string_view line);

/// Unicode characters of UTF-8.
std::uint64_t count_chars(std::string_view utf8);

/// Member "a.b" of nested objects; null: not there.
const json::value* member(const json::object& object, std::string_view path);
std::optional<std::uint32_t> count_at(const json::object& object, std::string_view path);

}  // namespace scoville::workload
