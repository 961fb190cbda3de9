#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dataset/length_distribution.hpp"
#include "dataset/length_pairs.hpp"
#include "dataset/length_solver.hpp"
#include "dataset/prompt_source.hpp"

namespace scoville::dataset {

struct SyntheticOptions {
  LengthDistribution input = LengthDistribution::constant(512);
  std::optional<LengthDistribution> output;  ///< empty: the prompts set no max_tokens
  std::optional<LengthPairs> pairs;          ///< both lengths together, instead of the two above
  std::uint64_t seed = 0;                    ///< of lengths and words: equal seeds, equal workloads
  std::uint64_t salt = 0;                    ///< of this run: another one each time
};

/// Prompts of common English words, as long as asked to the token.
///
/// "The", then eight words of salt drawn by (salt, index), then words drawn by (seed, index). The salt stands in front
/// because prefix caches compare from the front: no request shares more than template and first word with another one
/// of this run or of an earlier run, so a cache cannot flatter the server. Salt words come from the same list as all
/// others and cost the same, and the workload's hash leaves them out.
///
/// Costs about 10 µs for 512 words, one allocation. Thread-safe.
class SyntheticPrompts : public PromptSource {
 public:
  static constexpr std::int64_t kSaltWords = 8;

  /// An Error where a length that will surely be drawn is below smallest_prompt(). What normal and lognormal draw below
  /// it becomes that length.
  static Result<SyntheticPrompts> create(LengthModel model, const SyntheticOptions& options);

  Prompt make(std::uint64_t index) const override;
  text::Phrase describe() const override;
  /// Of seed, length distributions and built-in word list. The tokenizer's offset is left out, so that two servers
  /// which are asked for the same lengths have the same workload.
  std::uint64_t dataset_hash() const override;
  void set_salt(std::uint64_t salt) override { options_.salt = salt; }

  /// In tokens: template, BOS, first word and salt.
  std::uint32_t smallest_prompt() const { return smallest_; }
  const LengthModel& model() const { return model_; }

 private:
  SyntheticPrompts(LengthModel model, const SyntheticOptions& options);

  LengthModel model_;
  SyntheticOptions options_;
  std::uint32_t smallest_;
  std::string spaced_words_;           ///< " in to of …": each word behind its blank
  std::vector<std::uint32_t> starts_;  ///< of each word in it, and one end
  std::size_t longest_word_ = 0;       ///< bytes, blank included
};

}  // namespace scoville::dataset
