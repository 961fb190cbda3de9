#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyse/set.hpp"
#include "decide/gate.hpp"
#include "decide/metrics.hpp"
#include "stats/verdict.hpp"

namespace scoville::decide {

/// How the runs of the two arms belong together.
enum class Design {
  unpaired,  ///< so many runs each: Mann-Whitney, Hodges-Lehmann over all pairs
  paired,    ///< interleaved, the i-th of one with the i-th of the other: Wilcoxon, Walsh averages
};
std::string_view name_of(Design design);

/// Why there is no verdict. The names are codes in the JSON.
enum class NoVerdict {
  none,
  too_few_runs,      ///< fewer than four an arm, or six pairs: no difference could show at 5 %
  not_resolved,      ///< these runs cannot tell
  missing,           ///< some run has no such figure
  unsupported,       ///< some run has too few requests for this quantile
  family_too_large,  ///< so many declared comparisons leave none that could show
  not_per_device,    ///< the arms have different numbers of devices, and this cannot be divided by them
};
std::string_view name_of(NoVerdict reason);

/// What it would take to tell.
struct Resolve {
  std::size_t runs = 0;           ///< per arm, or pairs; in all, those that are there included
  std::optional<double> minutes;  ///< of both arms, for those that are missing, at the length of the present ones
};

/// One metric of two arms. Every metric has the same fields, primary or not.
struct MetricComparison {
  const Metric* metric = nullptr;
  bool is_primary = false;
  bool is_per_device = false;
  analyse::SetFigure base, candidate;    ///< one number a run, with the interval of their median
  std::optional<stats::Estimate> ratio;  ///< above 1: the candidate is better, whatever the unit
  std::optional<double> p, p_adjusted;   ///< two-sided; adjusted by Holm in the family, by Benjamini-Hochberg beside it
  std::optional<double> mde;             ///< least relative difference that so many runs find in 80 % of cases
  double margin = stats::kLeastMargin;
  std::optional<double> floor;  ///< A/A noise floor that the margin is made from; empty: none is known
  stats::Verdict verdict = stats::Verdict::inconclusive;
  NoVerdict reason = NoVerdict::missing;
  std::optional<Resolve> resolve;  ///< with every `inconclusive` that more runs would end

  // Beside it, for readers who expect them.
  std::optional<double> median_ratio;   ///< ratio of the medians, oriented
  std::optional<double> cliffs_delta;   ///< P(candidate better) − P(base better); unpaired
  std::optional<double> permutation_p;  ///< of the difference of means; unpaired
};

struct CompareOptions {
  Design design = Design::unpaired;
  std::vector<std::string> primary{std::string(kDefaultPrimary)};  ///< the declared family
  std::size_t family = 0;  ///< comparisons in all, where several candidates share it; 0: primary.size()
  double alpha = 0.05;
  std::optional<double> margin;          ///< said by the user; empty: max(least, 2 · floor)
  std::map<std::string, double> floors;  ///< A/A noise floor by metric, relative
};

/// Two arms behind their gate. Refused: no metric is looked at.
struct Comparison {
  std::string base, candidate;  ///< names of the arms
  Gate gate;
  Design design = Design::unpaired;
  bool is_one_machine = true;
  std::size_t base_runs = 0, candidate_runs = 0;
  double level = 0.95;                    ///< of the intervals of the family
  std::vector<MetricComparison> metrics;  ///< those that any run has; the primary ones first, in the order declared

  const MetricComparison* find(std::string_view key) const;
};

/// Whether the runs of the two arms were made in turn: in the order of time every two hold one of each, as a duel makes
/// them. Two at least of each.
bool alternates(const Arm& base, const Arm& candidate);

/// The largest family that so many runs an arm (or pairs) can serve: floor(α / smallest p).
std::size_t largest_family(Design design, std::size_t base_runs, std::size_t candidate_runs, double alpha = 0.05);
/// How many runs an arm (or pairs) a family of this size takes.
std::size_t runs_for_family(Design design, std::size_t family, double alpha = 0.05);

/// Every metric that is there, by docs/method.md, "Comparison". Keys of `options.primary` that are no metric are our
/// own bug. A paired design takes arms of equal length, in the order of the pairs.
Comparison compare(const Arm& base, const Arm& candidate, Gate gate, const CompareOptions& options = {});

}  // namespace scoville::decide
