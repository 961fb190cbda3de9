#pragma once

#include <string>
#include <vector>

#include "analyse/analysis.hpp"
#include "cli/parameter.hpp"
#include "plan/bench_plan.hpp"
#include "run/preflight.hpp"

namespace scoville::cli {

/// A number that no run before had.
std::uint64_t fresh_salt();

/// The flags that say how much load is made, of what, and what is made of it. vLLM's names where it has one.
class LoadOptions {
 public:
  void declare(Parameters& parameters);

  /// Fills plan(), prompts() and analysis(); an error for what one flag alone cannot tell.
  Status settle();

  const plan::LoadPlan& plan() const { return plan_; }
  plan::LoadPlan& plan() { return plan_; }
  /// For prompts of a file that bring no limit of their own; 0: theirs are all made by us.
  std::uint32_t default_max_tokens() const;
  const run::PromptPlan& prompts() const { return prompts_; }
  const analyse::AnalysisOptions& analysis() const { return analysis_; }
  /// Those of --metric-percentiles alone, as vLLM's result file has them.
  const std::vector<double>& percentiles() const { return percentiles_; }

 private:
  void declare_load(Parameters& parameters);
  void declare_prompts(Parameters& parameters);
  void declare_limits(Parameters& parameters);
  Status settle_arrivals();
  Status settle_prompts();
  Status take_goodput(std::string_view given);
  Status take_quantiles(std::string_view given);

  plan::LoadPlan plan_;
  run::PromptPlan prompts_;
  analyse::AnalysisOptions analysis_;
  std::size_t num_prompts_ = 0, threads_ = 0, seed_ = 0;
  std::optional<double> rate_, burstiness_, ramp_start_, ramp_end_, spread_;
  std::vector<double> percentiles_{99};
  std::string arrivals_, warmups_, dataset_;
  bool rate_is_infinite_ = false;
};

}  // namespace scoville::cli
