#pragma once

#include <string>
#include <vector>

#include "cli/evaluation_engines.hpp"
#include "evaluate/journal.hpp"

namespace scoville::cli {

/// Names the process that ends with its parent, by its number, in the environment of a step.
inline constexpr const char* kDiesWith = "SCOVILLE_DIES_WITH";

/// Goes through the steps of an evaluation. Each is this very program with the step's own words, so that what it did
/// can be done again by hand; its output goes to the folder, how it went into the journal there. A step that has an
/// answer already is not done again.
class EvaluationRun {
 public:
  /// All must outlive it. `store`: the file that the steps keep their runs in.
  EvaluationRun(const evaluate::Plan& plan, const evaluate::Agenda& agenda, EvaluationEngines& engines,
                std::string folder, std::string store)
      : plan_(plan), agenda_(agenda), engines_(engines), folder_(std::move(folder)), store_(std::move(store)) {}

  /// Reads the journal of what was done before. An error where another process works in this folder.
  Status open();
  /// What a step found cannot be used: it is done again the next time. `why`: in one line.
  Status redo(const evaluate::Step& step, const std::string& why);
  /// Does what is left to be done. A step that fails is noted, and the next one begun; an error means that the folder
  /// cannot be written, or that a stop was asked for.
  Status run(bool shows_progress);

  const std::vector<evaluate::StepResult>& journal() const { return journal_; }
  std::string journal_path() const { return folder_ + "/steps.jsonl"; }
  /// Where a step's own output is kept.
  std::string output_path(const evaluate::Step& step, const char* ending) const;

 private:
  Result<std::vector<std::string>> words_of(const evaluate::Step& step);
  Status run_step(const evaluate::Step& step, std::size_t number, bool shows_progress);
  Status note(evaluate::StepResult result);
  Status take_lock();

  const evaluate::Plan& plan_;
  const evaluate::Agenda& agenda_;
  EvaluationEngines& engines_;
  std::string folder_, store_;
  std::vector<evaluate::StepResult> journal_;
};

}  // namespace scoville::cli
