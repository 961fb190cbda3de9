#pragma once

#include <string>

#include "cost/outcome.hpp"

namespace scoville::report {

// Words of a cost report, shared by its parts.

/// "CNY/kWh" of "money/kWh"; in Chinese "占比" of "share".
std::string unit_text(const std::string& unit, const std::string& currency);
/// "A, B"; "all" where it is every option.
std::string options_text(const std::vector<std::string>& names, const cost::Outcome& outcome);
/// A plain number: grouped and whole from 1000 on, four significant digits below.
std::string plain(double value);

/// "4 years", "1 year".
std::string years_text(double years);

/// How a bill is divided, in words.
text::CostMsg method_word(cost::Method method);
/// What saves how much, how sure that is, and from which demand on.
std::string pair_words(const cost::PairOutcome& pair, const cost::Outcome& outcome);
/// The same in few words, for a cell of the table.
std::string break_even_cell(const cost::BreakEven& found);
std::string verdict_cell(const cost::Saving& saving);

/// Sensitivities as bars.
std::string cost_bars(const cost::Outcome& outcome, bool detail);
/// What was taken from public data, what was not said, what to know.
std::string cost_sources(const cost::Outcome& outcome);

}  // namespace scoville::report
