#include "correctness/logprob_distance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/quantile.hpp"

namespace scoville::correctness {
namespace {

using run::Answer;
using run::AnswerToken;

constexpr double kLeastRest = 1e-9;  // what listed probabilities that round to 1 leave for all others together

/// Values by position, with the number of prompts that they come from.
class Pool {
 public:
  void begin_prompt() { has_any_ = false; }
  void add(double value) {
    prompts_ += !has_any_;
    has_any_ = true;
    values_.push_back(value);
  }
  std::optional<Spread> spread() {
    if (values_.empty()) return std::nullopt;
    std::sort(values_.begin(), values_.end());
    double sum = 0;
    for (const double each : values_) sum += each;
    return Spread{sum / static_cast<double>(values_.size()), *stats::nearest_rank_quantile(values_, 0.5),
                  values_.back(), values_.size(), prompts_};
  }

 private:
  std::vector<double> values_;
  std::size_t prompts_ = 0;
  bool has_any_ = false;
};

bool offers(std::span<const Answer> answers) {
  return std::any_of(answers.begin(), answers.end(), [](const Answer& answer) {
    return std::any_of(answer.tokens.begin(), answer.tokens.end(),
                       [](const AnswerToken& token) { return token.logprob.has_value(); });
  });
}

bool is_all_zero(std::span<const Answer> answers) {
  return std::all_of(answers.begin(), answers.end(), [](const Answer& answer) {
    return std::all_of(answer.tokens.begin(), answer.tokens.end(),
                       [](const AnswerToken& token) { return token.logprob.value_or(0) == 0; });
  });
}

NoDistance why_not(std::span<const Answer> base, std::span<const Answer> other, const Agreement& agreement) {
  if (!offers(base) || !offers(other)) return NoDistance::not_offered;
  if (agreement.unit != Unit::token) return NoDistance::unit;
  if (is_all_zero(base) || is_all_zero(other)) return NoDistance::all_zero;
  return NoDistance::none;
}

}  // namespace

std::string_view name_of(NoDistance reason) {
  switch (reason) {
    case NoDistance::none:
      return "";
    case NoDistance::not_offered:
      return "not_offered";
    case NoDistance::unit:
      return "tokens_not_comparable";
    case NoDistance::no_position:
      return "no_common_position";
    case NoDistance::all_zero:
      return "all_zero";
  }
  return "";
}

std::optional<double> kl_at_least(std::span<const run::TokenChance> base, std::span<const run::TokenChance> other) {
  double sum = 0, base_rest = 1, other_rest = 1;
  bool has_any = false;
  for (const run::TokenChance& mine : base) {
    const auto same =
        std::find_if(other.begin(), other.end(), [&](const run::TokenChance& each) { return each.text == mine.text; });
    if (same == other.end()) continue;
    has_any = true;
    const double p = std::exp(mine.logprob);
    sum += p * (mine.logprob - same->logprob);
    base_rest -= p;
    other_rest -= std::exp(same->logprob);
  }
  if (!has_any) return std::nullopt;
  base_rest = std::max(base_rest, kLeastRest);
  other_rest = std::max(other_rest, kLeastRest);
  return std::max(0.0, sum + base_rest * std::log(base_rest / other_rest));
}

LogprobDistance logprob_distance(std::span<const Answer> base, std::span<const Answer> other,
                                 const Agreement& agreement) {
  LogprobDistance distance;
  distance.reason = why_not(base, other, agreement);
  if (distance.reason != NoDistance::none) return distance;
  Pool chosen, kl;
  for (std::size_t i = 0; i < agreement.pairs.size(); ++i) {
    const PairAgreement& pair = agreement.pairs[i];
    if (!pair.is_measured || pair.candidate_failed) continue;
    chosen.begin_prompt();
    kl.begin_prompt();
    const std::size_t both = std::min(pair.base_length, pair.other_length);
    const std::size_t agreed = pair.divergence.value_or(both);
    for (std::size_t at = 0; at < std::min(agreed + 1, both); ++at) {
      const AnswerToken &mine = base[i].tokens[at], &theirs = other[i].tokens[at];
      if (at < agreed && mine.logprob && theirs.logprob) chosen.add(std::fabs(*theirs.logprob - *mine.logprob));
      if (const auto bound = kl_at_least(mine.top, theirs.top)) kl.add(*bound);
    }
  }
  distance.chosen = chosen.spread();
  distance.kl_at_least = kl.spread();
  if (!distance.chosen && !distance.kl_at_least) distance.reason = NoDistance::no_position;
  return distance;
}

}  // namespace scoville::correctness
