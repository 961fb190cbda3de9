#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "plan/bench_plan.hpp"
#include "run/runner.hpp"

namespace scoville::report {

/// The answers of a run, one line each in the order of the rows, as an OpenAI batch output file has them: custom_id and
/// either a response with its status and a chat completion, or an error with the class of the failure. A retried row
/// has the line of its last attempt. The Error is the source's.
Result<std::string> batch_output(const run::RunResult& run, const plan::RequestShape& shape,
                                 const std::function<std::string(std::uint64_t index)>& custom_id);

}  // namespace scoville::report
