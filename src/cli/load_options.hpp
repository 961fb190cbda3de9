#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyse/analysis.hpp"
#include "cli/parameter.hpp"
#include "cli/prompt_options.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::cli {

/// The flags that say how much load is made, of what, and what is made of it. vLLM's names where it has one.
class LoadOptions {
 public:
  void declare(Parameters& parameters);

  /// Fills plan(), prompts() and analysis(); an error for what one flag alone cannot tell.
  Status settle();

  const plan::LoadPlan& plan() const { return plan_; }
  plan::LoadPlan& plan() { return plan_; }
  /// Prompts of these lengths in place of those that the flags say. After settle().
  void send_lengths(std::shared_ptr<const dataset::Workload> lengths, text::Phrase description) {
    prompts_.send_lengths(std::move(lengths), std::move(description));
  }
  /// PromptOptions::default_max_tokens().
  std::uint32_t default_max_tokens() const { return prompts_.default_max_tokens(); }
  const run::PromptPlan& prompts() const { return prompts_.plan(); }
  const analyse::AnalysisOptions& analysis() const { return analysis_; }
  /// Those of --metric-percentiles alone, as vLLM's result file has them.
  const std::vector<double>& percentiles() const { return percentiles_; }

 private:
  void declare_load(Parameters& parameters);
  void declare_limits(Parameters& parameters);
  Status settle_arrivals();
  Status settle_trace();
  Status begin_offline();
  void settle_offline();
  Status take_goodput(std::string_view given);
  Status take_quantiles(std::string_view given);

  plan::LoadPlan plan_;
  PromptOptions prompts_;
  analyse::AnalysisOptions analysis_;
  std::size_t num_prompts_ = 0, threads_ = 0, seed_ = 0;
  std::optional<double> rate_, burstiness_, ramp_start_, ramp_end_, trace_speed_;
  std::vector<double> percentiles_{99};
  std::string arrivals_, warmups_, offline_;
  bool rate_is_infinite_ = false;
};

}  // namespace scoville::cli
