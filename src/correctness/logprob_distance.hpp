#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "correctness/agreement.hpp"
#include "run/answer.hpp"

namespace scoville::correctness {

/// Why there is no distance. The names are those of the JSON.
enum class NoDistance {
  none,
  not_offered,  ///< an arm told no logprobs
  unit,         ///< tokens could not be compared: there is no position with a known history
  no_position,  ///< no pair of answers has a position that both arms told
  all_zero,     ///< an arm says 0 for every token: these are no logprobs of the model
};
std::string_view name_of(NoDistance reason);

struct Spread {
  double mean = 0, median = 0, largest = 0;  ///< median: nearest rank
  std::size_t positions = 0, prompts = 0;
};

/// How far apart two arms are before it shows in the text. In nats, over positions where both had exactly the same
/// history: the common beginning of each pair of answers.
///
/// Pooled over positions, which are not independent: these describe, they have no interval and no verdict. Not valid
/// where a server's logprobs are those of a distribution already cut or scaled by sampling; temperature is 0 here, and
/// who then tells 0 for each chosen token is found out (all_zero).
struct LogprobDistance {
  NoDistance reason = NoDistance::none;
  /// |ln p_B(t) - ln p_A(t)| of the token t that both chose.
  std::optional<Spread> chosen;
  /// Σ_t p_A(t) ln(p_A(t) / p_B(t)) over the tokens in both lists, plus the same term for all others together: by the
  /// data-processing inequality never more than the true KL(A ‖ B). Also taken at the first position that differs,
  /// whose history is still the same. Empty where an arm lists no likeliest tokens.
  std::optional<Spread> kl_at_least;
};

LogprobDistance logprob_distance(std::span<const run::Answer> base, std::span<const run::Answer> other,
                                 const Agreement& agreement);

/// That bound at one position; empty where no token is in both lists.
std::optional<double> kl_at_least(std::span<const run::TokenChance> base, std::span<const run::TokenChance> other);

}  // namespace scoville::correctness
