#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "dataset/batch_file.hpp"
#include "dataset/dialogue.hpp"
#include "dataset/format.hpp"
#include "dataset/jsonl_rows.hpp"
#include "dataset/workload.hpp"

namespace scoville::dataset {

/// A file, read: prompts or whole requests to be sent as they are, conversations, or lengths.
struct Dataset {
  std::string name;  ///< the file's path, for messages
  Format format = Format::custom;
  std::variant<JsonlRows, Dialogues, Workload, BatchPrompts> content;

  const Workload* workload() const { return std::get_if<Workload>(&content); }
  const BatchPrompts* batch() const { return std::get_if<BatchPrompts>(&content); }
  const std::vector<BadLine>& bad() const;
  /// Rows that can be used.
  std::size_t rows() const;
};

struct ReadOptions {
  std::optional<Format> format;  ///< empty: found out
  bool is_multi_turn = false;    ///< OpenAI's messages as conversations to go on with, not as they were recorded
};

/// An Error, in one line, where the file cannot be read, its format is not known, or none of its rows can be used.
Result<Dataset> read_dataset(const std::string& path, const ReadOptions& options);
/// The same on text in memory; `name` stands for the file, in messages and as the place where relative paths begin.
Result<Dataset> parse_dataset(std::string name, std::string_view content, const ReadOptions& options);

/// In an order drawn by `seed`. Recorded times are lost.
void shuffle(Dataset& dataset, std::uint64_t seed);

/// Drops what exceeds a context of `limit` tokens, a conversation by all of its turns; returns the lines.
std::vector<std::uint64_t> drop_too_long(Workload& workload, std::uint32_t limit);

}  // namespace scoville::dataset
