#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/session.hpp"
#include "cli/sweep_book.hpp"
#include "cli/sweep_options.hpp"

namespace scoville::cli {

/// Measures what a book lacks: engine settings are the outer loop, one engine for each combination; the loads are
/// measured on it one after the other, each a run of its own.
///
/// A combination whose engine does not start, and a point that it does not live through, are put down with the engine's
/// words, and the sweep goes on. All must outlive it.
class SweepRun {
 public:
  /// `store`: where entries are put down; null: nowhere.
  SweepRun(const SweepOptions& options, SweepBook& book, store::RunStore* store)
      : options_(options), book_(book), store_(store) {}

  /// An error ends the sweep; ErrorCode::aborted: it was stopped. What was measured until then is in the book.
  Status run();

 private:
  Status run_settings(std::size_t settings, const std::vector<SweepStep>& steps);
  Status run_steps(Session& session, const std::vector<SweepStep>& steps);
  Status run_step(Session& session, const SweepStep& step);
  Status turn_to(Session& session, const SweepStep& step);
  /// Every step that the engine cannot serve.
  Status lose(const std::vector<SweepStep>& steps, decide::PointState state, const std::string& why);
  std::string name_of(const SweepStep& step) const;

  const SweepOptions& options_;
  SweepBook& book_;
  store::RunStore* store_;
  std::unique_ptr<LoadOptions> load_;  ///< of the step at hand: a session keeps its address
  std::string prompts_;                ///< what the prompts of that load were made for
};

}  // namespace scoville::cli
