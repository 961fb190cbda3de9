#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "correctness/matcher.hpp"
#include "dataset/prompt_source.hpp"

namespace scoville::correctness {

/// One question with its answer.
struct Task {
  std::string id;
  dataset::Prompt prompt;
  MatcherKind kind = MatcherKind::exact;
  std::shared_ptr<const Matcher> matcher;
};

/// A file of tasks: docs/formats/tasks.md.
struct TaskFile {
  std::string name;    ///< as it was asked for
  std::string sha256;  ///< of the bytes of the file: two gates over the same tasks can be told
  std::vector<Task> tasks;
};

/// A line that cannot be used is an error, not left out: a score over fewer tasks than there are would be another
/// score. The error names file, line, member, and what was expected of it. `takes_messages`: a chat dialect.
Result<TaskFile> read_tasks(const std::string& path, bool takes_messages);
Result<TaskFile> parse_tasks(std::string name, std::string_view content, bool takes_messages);

}  // namespace scoville::correctness
