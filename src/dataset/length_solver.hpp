#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dataset/token_counter.hpp"
#include "dataset/warning.hpp"

namespace scoville::dataset {

/// How many words make a prompt of so many tokens: tokens = offset + slope · words.
///
/// A prompt is "The w1 w2 …". The offset is everything that no word changes: template, BOS and the first word.
struct LengthModel {
  std::int64_t offset = 0;
  double slope = 1;                     ///< tokens per word; exactly 1 where is_exact
  std::vector<std::string_view> words;  ///< the part of the vocabulary that may be used
  std::size_t dropped = 0;              ///< words left out because they have, or may have, another length
  bool is_exact = false;                ///< every word of `words` is one token, and a mixture of them bore it out
  int counts = 0;                       ///< what finding this out cost
  std::string method;                   ///< TokenCounter::name()

  /// False: the counter cannot see the template, so that no length is right before confirm().
  bool knows_template = true;
  /// Sent once as a real request, this should report `check_tokens` prompt tokens.
  std::string check_prompt;
  std::int64_t check_tokens = 0;
  bool is_confirmed = false;
  std::int64_t shift = 0;  ///< what confirm() added to the offset

  /// Takes the real usage.prompt_tokens of `check_prompt`. A difference is the part that the tokenizer endpoint does
  /// not see (a template, a second BOS), the same for every prompt: the offset moves by it.
  void confirm(std::int64_t usage);

  /// Words behind the first one whose prompt comes nearest to `tokens`; never below 0.
  std::int64_t words_for(std::int64_t tokens) const;
  /// Tokens of the shortest prompt that has this many words.
  std::int64_t tokens_of(std::int64_t words) const;

  /// Codes: prompt_length_inexact, prompt_length_unconfirmed, tokenize_differs_from_usage.
  std::vector<Warning> warnings() const;
};

struct SolveOptions {
  int max_counts = 0;             ///< 0: as many as the counter thinks right
  std::size_t check_words = 256;  ///< length of the mixture that puts the model to the test
  std::uint64_t seed = 0;         ///< of that mixture
};

/// Finds offset and slope. The words' characters must outlive the model.
///
/// Two counts, "The" alone and "The" with every word once, settle it where each word is one token. Where they do not,
/// the list is halved, the half that costs too much again, until the counts run out; what is not clean by then is
/// dropped. If fewer than 64 clean words remain, all are used with a slope that is no longer 1: the nearest length, not
/// the exact one. A last count of a random mixture checks the result. An Error only where the server does not count.
Result<LengthModel> solve(TokenCounter& counter, std::span<const std::string_view> vocabulary,
                          const SolveOptions& options = {});

}  // namespace scoville::dataset
