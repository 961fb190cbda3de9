#pragma once

#include <string>
#include <vector>

#include "analyse/set.hpp"
#include "report/bench_report.hpp"

namespace scoville::report {

/// One run of a set, with all that its own report takes.
struct RunOfSet {
  analyse::Analysis analysis;
  plan::LoadPlan plan;
  plan::RequestShape shape;
  BenchSubject subject;
  bool was_interrupted = false;  ///< or is still running
};

/// Runs shown together, oldest first.
struct RunSet {
  std::string id;   ///< empty: a tag brought them together
  std::string tag;  ///< empty: none, or not one for all
  std::vector<RunOfSet> runs;
};

/// What is computed over the runs of a set. Those that were not brought to their end are listed, and not counted.
struct SetView {
  std::vector<const RunOfSet*> counted;
  bool is_one_plan = true;  ///< false: there are no figures over them
  analyse::SetFigures figures;
};
/// `set` must outlive it.
SetView view_of(const RunSet& set);

/// Of the set itself; each run has its own besides.
std::vector<dataset::Warning> set_warnings(const RunSet& set, const SetView& view);

/// The set as one object: docs/formats/run.md.
json::object set_json(const RunSet& set);

/// The same for a terminal: the figures over all runs, a line a run, what to doubt, what the figures hold for.
std::string set_table(const RunSet& set);

}  // namespace scoville::report
