#pragma once

#include "analyse/analysis.hpp"
#include "report/bench_report.hpp"
#include "run/runner.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// One run with all that is said of it: measured just now, or read from a store.
struct Measured {
  plan::LoadPlan plan;
  plan::RequestShape shape;
  analyse::AnalysisOptions options;
  report::BenchSubject subject;
  run::RunResult result;
  analyse::Analysis analysis;
};

/// What is known of a run before it begins, as its store keeps it.
json::object manifest_of(const Measured& measured);

/// The name of the document that holds a run's analyse::RunStatistics.
inline constexpr const char* kStatistics = "statistics";

/// The kind of finding that holds the answer of a search for the largest load; its subject is the set's id.
inline constexpr const char* kSaturation = "saturation";

/// What was known of a stored run before it began: all but `result` and `analysis`.
Result<Measured> read_head(const store::RunStore& store, const std::string& id);

/// A stored run, analysed anew by the method of this program. `store` must outlive it.
Result<Measured> read_measured(const store::RunStore& store, const std::string& id);

/// Puts what comparisons take of a run beside it, so that they need not read its records.
Status keep_statistics(store::RunStore& store, const Measured& measured);

/// Fills `analysis` from the rest.
Status analyse_measured(Measured& measured);

}  // namespace scoville::cli
