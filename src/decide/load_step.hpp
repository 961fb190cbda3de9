#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyse/slo_sample.hpp"
#include "plan/slo.hpp"

namespace scoville::decide {

/// What the measurement of one load showed.
enum class StepVerdict {
  holds,          ///< every SLO is shown to be met, and the load stayed on one level
  fails,          ///< an SLO is shown to be missed, or the queue grows as long as the load is kept up
  undecided,      ///< neither is shown
  client_limited  ///< the client was the bottleneck: the figures are not the server's
};
std::string_view name_of(StepVerdict verdict);

/// Why not `holds`, beside the bounds.
enum class StepDoubt { none, queue_grows, drifts };
std::string_view name_of(StepDoubt doubt);

/// Share of the attempted requests within one limit, or within all of them.
struct SloFigure {
  std::size_t n = 0, misses = 0;
  double attainment = 0;
  double inflation = 1;    ///< stats/clustering.hpp
  double effective_n = 0;  ///< n / inflation: what the exact bounds are taken at
  double at_least = 0;     ///< one-sided, at the level of the step
  double at_most = 1;      ///< one-sided, 95 %
};

/// Whether latency rose while the load was kept up: Mann-Kendall on window means, the slope by Theil and Sen.
struct Growth {
  double per_second = 0;  ///< seconds a second. Of a queue's wait: offered ÷ served − 1
  double relative = 0;    ///< over the whole step, to the median level
  double p = 1;
};
/// `at` ascending. Empty with fewer than five windows of five known (not NaN) values.
std::optional<Growth> growth_of(std::span<const double> at, std::span<const double> latency);

struct StepRule {
  bool is_open_loop = true;
  double level = 0.95;         ///< of `at_least`
  double least_growth = 2e-3;  ///< seconds a second: an overload below it is none that the search could tell
};

struct StepJudgement {
  StepVerdict verdict = StepVerdict::undecided;
  StepDoubt doubt = StepDoubt::none;
  std::vector<SloFigure> slos;  ///< in their order
  SloFigure joint;              ///< within all limits at once
  std::optional<Growth> first_token, end;
};

/// `pieces`: what was measured at one load, each a run of its own that began with an empty server, its warm-in cut.
StepJudgement judge_step(std::span<const analyse::SloSample> pieces, std::span<const plan::Slo> slos,
                         const StepRule& rule);

/// The fewest independent requests, none of them over the limit, that show a share at 95 %: 299 for P99.
double fewest_to_show(double share);

}  // namespace scoville::decide
