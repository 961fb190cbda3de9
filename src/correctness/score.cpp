#include "correctness/score.hpp"

#include "base/check.hpp"
#include "stats/attainment.hpp"
#include "stats/mcnemar.hpp"

namespace scoville::correctness {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::right:
      return "right";
    case Outcome::wrong:
      return "wrong";
    case Outcome::failed:
      return "failed";
  }
  return "";
}

Score score_of(const TaskFile& file, std::span<const run::Answer> answers) {
  SCOVILLE_CHECK(file.tasks.size() == answers.size(), "every task was asked");
  Score score;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const run::Answer& answer = answers[i];
    if (!answer.succeeded()) {
      ++score.failed;
      score.outcomes.push_back(Outcome::failed);
      continue;
    }
    const Match match = file.tasks[i].matcher->match(answer_part(answer.text));
    const bool is_right = match == Match::right;
    score.right += is_right;
    score.too_complex += match == Match::too_complex;
    score.cut_off += !is_right && answer.finish_reason == "length";
    score.outcomes.push_back(is_right ? Outcome::right : Outcome::wrong);
  }
  if (answers.empty()) return score;
  score.share = static_cast<double>(score.right) / static_cast<double>(answers.size());
  score.interval = stats::attainment_interval(score.right, answers.size());
  return score;
}

ScoreComparison compare_scores(const Score& reference, const Score& candidate) {
  SCOVILLE_CHECK(reference.outcomes.size() == candidate.outcomes.size(), "both arms answered the same tasks");
  ScoreComparison out;
  stats::PairedCounts& counts = out.counts;
  for (std::size_t i = 0; i < reference.outcomes.size(); ++i) {
    if (reference.outcomes[i] == Outcome::failed) {
      ++out.reference_failed;
      continue;
    }
    const bool base = reference.outcomes[i] == Outcome::right, other = candidate.outcomes[i] == Outcome::right;
    ++(base ? (other ? counts.both : counts.base_only) : (other ? counts.other_only : counts.neither));
  }
  out.mcnemar_p = stats::mcnemar_p(counts.base_only, counts.other_only);
  if (counts.pairs() == 0) return out;
  const auto base = static_cast<double>(counts.base()), other = static_cast<double>(counts.other());
  out.difference = (other - base) / static_cast<double>(counts.pairs());
  out.difference_interval = stats::share_difference(counts);
  if (counts.base() > 0) out.ratio = other / base;
  out.ratio_interval = stats::share_ratio(counts);
  return out;
}

}  // namespace scoville::correctness
