#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "run/runner.hpp"

namespace scoville::report {

/// The answers of a run, one line each in the order of the rows, as an OpenAI batch output file has them: custom_id and
/// either a response with its status and a chat completion, or an error with the class of the failure. A retried row
/// has the line of its last attempt. The Error is the source's.
struct BatchRow {
  std::string custom_id, model;  ///< the model that was asked for
};
Result<std::string> batch_output(const run::RunResult& run, const std::function<BatchRow(std::uint64_t index)>& row_of);

}  // namespace scoville::report
