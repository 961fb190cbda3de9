#pragma once

#include <functional>
#include <string>

#include "base/units.hpp"
#include "plan/bench_plan.hpp"
#include "run/runner.hpp"

namespace scoville::cli {

/// Live progress on standard error: one line rewritten on a terminal, a plain line every 10 s elsewhere; nothing in the
/// first two seconds.
class ProgressLine {
 public:
  explicit ProgressLine(const plan::LoadPlan& plan);
  ~ProgressLine();

  void show(const run::Progress& progress);

 private:
  const plan::LoadPlan& plan_;
  bool is_terminal_, has_line_ = false;
  Instant began_, next_;
};

}  // namespace scoville::cli
