#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dataset/jsonl_rows.hpp"
#include "dataset/prompt_source.hpp"
#include "dataset/token_counter.hpp"
#include "dataset/warning.hpp"

namespace scoville::dataset {

struct JsonlOptions {
  std::optional<std::uint32_t> context_limit;  ///< rows whose lengths are given and do not fit are dropped: a server
                                               ///< would refuse them, or cut them in silence
  std::optional<std::uint32_t> output_tokens;  ///< of every request, instead of the file's
  Api api = Api::chat;                         ///< completions: messages are sent as their plain text
};

/// The prompts of a file, in its order and from the beginning again when the run is longer than the file.
///
/// They are sent as they are, without a salt: a repeated prompt may come from the server's prefix cache, which
/// check_distinct() in checks.hpp makes visible.
class JsonlPrompts : public PromptSource {
 public:
  /// An Error where the file cannot be read or no line of it can be used.
  static Result<JsonlPrompts> open(const std::string& path, std::optional<std::uint32_t> context_limit = {});
  /// The same on text in memory; `name` stands for the file in messages.
  static Result<JsonlPrompts> parse(std::string name, std::string_view content,
                                    std::optional<std::uint32_t> context_limit = {});
  /// The same on rows that have been read.
  static Result<JsonlPrompts> create(std::string name, JsonlRows rows, const JsonlOptions& options);

  Prompt make(std::uint64_t index) const override;
  text::Phrase describe() const override;
  std::uint64_t dataset_hash() const override { return hash_; }

  std::optional<std::uint64_t> size() const override { return prompts_.size(); }
  const std::vector<BadLine>& bad_lines() const { return bad_; }
  /// Lines that do not fit the context limit.
  const std::vector<std::uint64_t>& dropped_lines() const { return dropped_; }
  /// Codes: rows_left_out, rows_too_long.
  std::vector<Warning> warnings() const;

 private:
  JsonlPrompts() = default;

  std::string name_;
  std::vector<Prompt> prompts_;
  std::vector<BadLine> bad_;
  std::vector<std::uint64_t> dropped_;
  std::uint32_t context_limit_ = 0;
  std::uint64_t hash_ = 0;
};

}  // namespace scoville::dataset
