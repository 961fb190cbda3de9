#include "dataset/length_solver.hpp"

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "dataset/vocabulary.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;
using Words = std::span<const std::string_view>;

constexpr std::int64_t kLeastGrowth = 5;  // words a token: fewer tokens are no count
constexpr std::size_t kFewestWords = 64;  ///< eight of them as salt: 48 bits
constexpr std::uint64_t kCheckStream = 0x64617461'0001;

std::string prompt_of(Words words) {
  std::string prompt(kFirstWord);
  for (const std::string_view word : words) (prompt += ' ') += word;
  return prompt;
}

/// A stretch of the vocabulary and the tokens it costs beyond one a word.
struct Stretch {
  Words words;
  std::int64_t excess;
};

class Solver {
 public:
  Solver(TokenCounter& counter, const SolveOptions& options)
      : counter_(counter),
        options_(options),
        left_(options.max_counts > 0 ? options.max_counts : counter.max_probes()) {}

  Result<LengthModel> run(Words vocabulary) {
    auto bare = count({});
    if (!bare) return std::move(bare.error());
    model_.offset = *bare;
    auto all = count_longest(vocabulary);
    if (!all) return std::move(all.error());
    const auto size = static_cast<std::int64_t>(vocabulary.size());
    model_.slope = static_cast<double>(*all - *bare) / static_cast<double>(size);

    // From two tokens a word on, no part of the list can be expected to be clean: counts would be spent for nothing.
    stretches_ = {{vocabulary, *all - *bare - size}};
    if (model_.slope < 2) {
      if (Status split = split_stretches(); !split) return std::move(split.error());
    }
    for (const Stretch& stretch : stretches_) {
      if (stretch.excess == 0) model_.words.insert(model_.words.end(), stretch.words.begin(), stretch.words.end());
    }
    model_.is_exact = model_.words.size() >= std::min(kFewestWords, vocabulary.size());
    if (model_.is_exact) {
      model_.slope = 1;
    } else {
      model_.words.assign(vocabulary.begin(), vocabulary.end());
    }
    model_.dropped = vocabulary.size() - model_.words.size();
    if (Status checked = check(); !checked) return std::move(checked.error());
    model_.method = counter_.name();
    model_.knows_template = counter_.is_whole_request();
    return std::move(model_);
  }

 private:
  Result<std::int64_t> count(Words words) {
    --left_;
    ++model_.counts;
    return counter_.count(prompt_of(words));
  }

  /// Every word once; where the server refuses that (a short context), the commoner half.
  Result<std::int64_t> count_longest(Words& words) {
    for (;;) {
      auto tokens = count(words);
      if (tokens || words.size() / 2 < kFewestWords) return tokens;
      words = words.first(words.size() / 2);
    }
  }

  /// Halves the stretch that costs too much and holds most words, while a count is left besides the check.
  Status split_stretches() {
    while (left_ > 1) {
      const auto widest = std::max_element(stretches_.begin(), stretches_.end(), [](const auto& a, const auto& b) {
        return (a.excess ? a.words.size() : 0) < (b.excess ? b.words.size() : 0);
      });
      if (widest->excess == 0 || widest->words.size() < 2) break;
      const std::size_t half = widest->words.size() / 2;
      const Words front = widest->words.first(half), back = widest->words.subspan(half);
      auto tokens = count(front);
      if (!tokens) return std::move(tokens.error());
      const std::int64_t excess = *tokens - model_.offset - static_cast<std::int64_t>(half);
      const std::int64_t rest = widest->excess - excess;
      *widest = {front, excess};
      stretches_.insert(widest + 1, {back, rest});
    }
    return Done{};
  }

  /// Random order and repetition, as in real prompts: here words that merge with their neighbours would show.
  Status check() {
    Rng rng(options_.seed, kCheckStream);
    std::vector<std::string_view> mixture(std::min(options_.check_words, model_.words.size()));
    for (auto& word : mixture) word = model_.words[rng.below(model_.words.size())];
    auto tokens = count(mixture);
    if (!tokens) return std::move(tokens.error());
    model_.check_prompt = prompt_of(mixture);
    model_.check_tokens = *tokens;
    const auto size = static_cast<std::int64_t>(mixture.size());
    if (*tokens - model_.offset < size / kLeastGrowth)
      return Error{ErrorCode::unsupported, "its counts do not grow with the text"};  // and are not worth a name here
    if (model_.is_exact && *tokens != model_.offset + size) {
      model_.is_exact = false;
      model_.slope = std::max(1.0, static_cast<double>(*tokens - model_.offset)) / static_cast<double>(size);
    }
    return Done{};
  }

  TokenCounter& counter_;
  const SolveOptions& options_;
  int left_;
  LengthModel model_;
  std::vector<Stretch> stretches_;
};

}  // namespace

void LengthModel::confirm(std::int64_t usage) {
  shift = usage - check_tokens;
  offset += shift;
  check_tokens = usage;
  is_confirmed = true;
}

std::int64_t LengthModel::words_for(std::int64_t tokens) const {
  return std::max<std::int64_t>(0, std::llround(static_cast<double>(tokens - offset) / slope));
}

std::int64_t LengthModel::tokens_of(std::int64_t word_count) const {
  return offset + std::llround(slope * static_cast<double>(word_count));
}

std::vector<Warning> LengthModel::warnings() const {
  std::vector<Warning> found;
  if (!is_exact) found.push_back(make_warning("prompt_length_inexact", Msg::prompt_length_inexact, slope));
  if (!knows_template && !is_confirmed) {
    found.push_back(make_warning("prompt_length_unconfirmed", Msg::prompt_length_unconfirmed, method));
  }
  if (knows_template && shift != 0) {
    found.push_back(make_warning("tokenize_differs_from_usage", Msg::tokenize_differs_from_usage, method, shift));
  }
  return found;
}

Result<LengthModel> solve(TokenCounter& counter, std::span<const std::string_view> vocabulary,
                          const SolveOptions& options) {
  SCOVILLE_CHECK(!vocabulary.empty(), "a vocabulary has words");
  return Solver(counter, options).run(vocabulary);
}

}  // namespace scoville::dataset
