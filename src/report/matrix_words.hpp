#pragma once

#include <string>
#include <vector>

#include "matrix/matrix.hpp"

namespace scoville::report {

// Words and cells that the matrix is told in.

/// Columns of what is told of a decision: a terminal beside which something else stands, a page.
inline constexpr std::size_t kDecisionWidth = 100;

std::string verdict_word(matrix::Verdict verdict);
std::string overall_word(matrix::Overall overall);
std::string because(matrix::Overall overall);
/// "0.994", "412 ms": a unit of 1 is none.
std::string with_unit(double value, const std::string& unit);
/// "≥ 0.99", "≤ 500 ms", "1 … 2"; empty where nothing is asked.
std::string bounds_of(const matrix::Target& target);
/// Who asks for it, in the current language.
std::string source_of(const matrix::Target& target);
/// "0.994 [0.987, 1.001]", "≥ 1923 h"; "–" where there is none.
std::string estimate_cell(const matrix::Estimate& estimate);
/// What a knock-out asks, and what was stated.
std::string asked_cell(const matrix::KnockOut& knock_out);
std::string stated_cell(const matrix::KnockOut& knock_out);
/// "TTFT P95 · chat".
std::string measure_name(const matrix::JudgedMeasure& measure);
/// Measures of a row that have something to say: a value, or a target.
std::vector<const matrix::JudgedMeasure*> shown_measures(const matrix::Row& row);
/// What is in the way, by its title.
std::vector<std::string> blocking_titles(const matrix::Matrix& matrix);
/// "; " between, in the current language.
std::string listed(const std::vector<std::string>& words);

}  // namespace scoville::report
