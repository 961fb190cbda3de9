#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "evaluate/steps.hpp"

namespace scoville::evaluate {

/// What stands for words where a step answered and its runs are of no use: our own client was the bottleneck.
inline constexpr const char* kClientBottleneck = "client_bottleneck";

/// How a step went.
struct StepResult {
  std::string id, key;  ///< key: of its words; a step that asks something else is another one
  int status = 0;       ///< exit status of its command
  double seconds = 0;
  std::string date;  ///< UTC, "2026-11-30T21:58:03Z"
  std::string said;  ///< its last line on standard error; told where it failed

  /// It answered, whatever the answer: a gate that was not met and "cannot tell" are answers.
  bool has_answer() const { return status == 0 || status == 3 || status == 4; }
};

/// Eight digits of a step's words.
std::string key_of(const Step& step);

/// What was done of an evaluation: a line of JSON a step, in the order in which they ended. A step that was tried again
/// has several; the last one counts. A last line that was cut off is none.
Result<std::vector<StepResult>> read_journal(const std::string& text, const std::string& where);
std::string journal_line(const StepResult& result);

/// The newest result of this very step; null where there is none.
const StepResult* result_of(const std::vector<StepResult>& journal, const Step& step);

}  // namespace scoville::evaluate
