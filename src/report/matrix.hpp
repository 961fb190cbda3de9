#pragma once

#include <string>

#include "base/json.hpp"
#include "matrix/matrix.hpp"

namespace scoville::report {

/// docs/formats/matrix.md.
json::object matrix_json(const matrix::Matrix& matrix);

/// For a terminal of 100 columns: the answer, the rows that it rests on, knock-outs, pilots, what would change it.
/// `detail` adds methods, sources, and the rows that are not part of this decision.
std::string matrix_table(const matrix::Matrix& matrix, bool detail);

/// The same rows as a Markdown table under a bold answer, for a report of one page. No heading of its own.
std::string matrix_markdown(const matrix::Matrix& matrix);

/// One thing that would turn the answer, in the current language: "Correctness, task score (gsm8k): …".
std::string change_sentence(const matrix::Change& change);

}  // namespace scoville::report
