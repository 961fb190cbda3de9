#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "dataset/prompt_source.hpp"
#include "event/record_flow.hpp"
#include "load/dialect.hpp"
#include "load/loader.hpp"
#include "plan/bench_plan.hpp"
#include "wire/target.hpp"

namespace scoville::run {

/// All that a run needs; everything must outlive it.
struct RunInputs {
  const wire::Target& target;  ///< its url is the generation URL, redirects resolved
  const load::Dialect& dialect;
  const plan::RequestShape& shape;
  const plan::LoadPlan& plan;
  const dataset::PromptSource& prompts;
};

/// What was observed, before anybody computes with it.
struct RunResult {
  std::vector<event::RequestRecord> records;  ///< by index, then attempt; of the load itself
  std::vector<event::RequestRecord> probes;   ///< of the thin load beside it
  std::vector<event::RequestRecord> chosen;   ///< for cancelling, also where they ended first: load without figures
  std::size_t warmups = 0;
  /// Where the same records lie with their token events; null: `records` have their own.
  std::shared_ptr<const event::RecordSource> source;
  std::vector<load::LoaderReport> loaders;  ///< empty where the run was cut off before they could report
  std::size_t drops = 0;                    ///< records that nobody could take
  ClockAnchor anchor;                       ///< set by who began the run
  Instant start{};                          ///< t = 0 of the schedule
  Instant end{};                            ///< the last request was over
  std::optional<double> steal_share;
  bool was_interrupted = false;

  /// Calls `each` with every record of the load itself, its token events included, in the order of the source.
  Status for_each_record(const std::function<void(const event::RequestRecord&)>& each) const;
  /// Fills `records` and `warmups` from `from`, without token events, and keeps it as the source.
  Status take_records(std::shared_ptr<const event::RecordSource> from);
  void add(event::RequestRecord record);
  void sort();
};

struct Progress {
  Nanos elapsed{};
  std::uint64_t issued = 0, succeeded = 0, failed = 0, in_flight = 0, output_tokens = 0;
  bool is_warmup = false;
};

/// Runs the load: threads, connections opened, warm-up, the measured part, drain. Records go to `sink_of(thread)`; the
/// result has none yet.
///
/// `stop` may be set at any time, from a signal handler too: no further request leaves, those in flight are given up as
/// `aborted`, and what has been measured is returned. `on_progress` is called about four times a second on the calling
/// thread. An Error means that no load could be made at all.
Result<RunResult> run_load(const RunInputs& inputs, const std::function<event::RecordSink&(unsigned)>& sink_of,
                           const std::atomic<bool>& stop, const std::function<void(const Progress&)>& on_progress);

}  // namespace scoville::run
