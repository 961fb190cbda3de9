#pragma once

#include <string>

#include "base/json.hpp"
#include "evaluate/record.hpp"
#include "report/page.hpp"

namespace scoville::report {

/// The page for who has to decide: one sheet of A4. Of several candidates the one with the best answer; in the current
/// language.
Page manager_page(const evaluate::Record& record);

/// What the terminal shows: the verdict, then what it rests on, then what was not looked at.
std::string evaluation_text(const evaluate::Record& record);

/// The decision record: docs/formats/evaluation.md.
json::object evaluation_json(const evaluate::Record& record);

/// What would run, how long it takes, what it needs; nothing is measured.
std::string agenda_text(const evaluate::Plan& plan, const evaluate::Agenda& agenda);
json::object agenda_json(const evaluate::Plan& plan, const evaluate::Agenda& agenda);

// Shared by those above, in the current language.

/// The verdict in one sentence.
std::string verdict_sentence(const evaluate::CandidateRecord& candidate);
/// "1.47 [1.44, 1.50]", with its unit; where there is no value the note that says why.
std::string value_or_note(const matrix::Estimate& estimate);
/// Rows of the matrix that have no verdict for want of a value, and stages that were not run, each with the reason.
std::vector<std::string> not_tested(const evaluate::Record& record, const evaluate::CandidateRecord& candidate);
/// What would change the answer, the nearest first.
std::vector<std::string> would_change(const evaluate::Record& record, const evaluate::CandidateRecord& candidate);
/// One figure of both arms.
struct FigureRow {
  std::string name, base, candidate, ratio;
};
/// The six figures of one workload.
std::vector<FigureRow> six_figures(const evaluate::Record& record, const evaluate::Serving& serving);

}  // namespace scoville::report
