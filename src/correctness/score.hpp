#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "correctness/task_file.hpp"
#include "run/answer.hpp"
#include "stats/interval.hpp"
#include "stats/paired_shares.hpp"

namespace scoville::correctness {

enum class Outcome { right, wrong, failed };
std::string_view name_of(Outcome outcome);

/// One arm's answers to all tasks.
struct Score {
  std::vector<Outcome> outcomes;  ///< in the order of the tasks
  std::size_t right = 0, failed = 0;
  std::size_t cut_off = 0;      ///< wrong, and ended by the limit of tokens: the answer may not have come yet
  std::size_t too_complex = 0;  ///< wrong, because a regular expression took too long
  /// right / all tasks: a failed request is a wrong answer.
  std::optional<double> share;
  std::optional<stats::Interval> interval;  ///< Clopper and Pearson, 95 %
};

Score score_of(const TaskFile& file, std::span<const run::Answer> answers);

/// Two arms on the same tasks. A task that the reference failed to answer is left out here, and counted: as a wrong
/// answer of the reference it would make the candidate look better. One that the candidate failed to answer is wrong.
struct ScoreComparison {
  stats::PairedCounts counts;
  std::size_t reference_failed = 0;
  double mcnemar_p = 1;
  std::optional<double> difference, ratio;                             ///< candidate - reference; candidate / reference
  std::optional<stats::Interval> difference_interval, ratio_interval;  ///< 95 %, stats/paired_shares.hpp
};

ScoreComparison compare_scores(const Score& reference, const Score& candidate);

}  // namespace scoville::correctness
