#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "dataset/prompt_source.hpp"
#include "event/request_record.hpp"
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
  std::vector<event::RequestRecord> records;  ///< by index, then attempt; warm-up left out
  std::vector<event::RequestRecord> warmups;
  std::vector<load::LoaderReport> loaders;
  ClockAnchor anchor;
  Instant start{};  ///< t = 0 of the schedule
  Instant end{};    ///< the last request was over
  std::optional<double> steal_share;
  bool was_interrupted = false;

  /// Calls `each` with every record of the measured part, its token events included.
  void for_each_record(const std::function<void(const event::RequestRecord&)>& each) const;
};

struct Progress {
  Nanos elapsed{};
  std::uint64_t issued = 0, succeeded = 0, failed = 0, in_flight = 0, output_tokens = 0;
  bool is_warmup = false;
};

/// Runs the load: threads, connections opened, warm-up, the measured part, drain.
///
/// `stop` may be set at any time, from a signal handler too: no further request leaves, those in flight are given up as
/// `aborted`, and what has been measured is returned. `on_progress` is called about four times a second on the calling
/// thread. An Error means that no load could be made at all.
Result<RunResult> run_load(const RunInputs& inputs, const std::atomic<bool>& stop,
                           const std::function<void(const Progress&)>& on_progress);

}  // namespace scoville::run
