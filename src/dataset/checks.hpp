#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataset/warning.hpp"

namespace scoville::dataset {

// What a run's prompts really were, judged from what the server reported. Pure functions; empty where nothing was
// measured, which is not the same as "all is well".

/// One request: the length asked for and the server's usage.prompt_tokens.
struct AskedAndMeasured {
  std::int64_t asked = 0;  ///< above 0
  std::int64_t measured = 0;
};

/// Random text changes its length when it is tokenized again; the server's count is the true one.
struct LengthCheck {
  std::size_t n = 0;
  double mean_asked = 0, mean_measured = 0;
  double mean_absolute_deviation = 0;  ///< mean of |measured − asked| ÷ asked, 0.042 is 4.2 %
  double exact_share = 0;
  double shorter_share = 0;  ///< measured below asked: cut by the server, or words that merged
  bool is_off = false;       ///< the mean is off by more than 1 %
};
std::optional<LengthCheck> check_lengths(std::span<const AskedAndMeasured> requests);

/// One request: usage.prompt_tokens and how many of them came from a prefix cache.
struct CachedTokens {
  std::int64_t prompt = 0;
  std::int64_t cached = 0;
};

/// Prompt tokens from a cache cost the server next to nothing: above 1 % the prefill figures flatter.
struct CacheCheck {
  std::int64_t prompt_tokens = 0, cached_tokens = 0;
  double share = 0;
  bool is_flattering = false;     ///< share above 1 %
  bool is_template_only = false;  ///< no request had more than `fixed_tokens` cached: template and first word, which
                                  ///< real users share too
  bool is_planned = false;        ///< prompts begin alike on purpose
};
std::optional<CacheCheck> check_cached(std::span<const CachedTokens> requests, std::int64_t fixed_tokens = 0);

/// The share of prompts that were unlike all others, by Prompt::hash of every request sent.
struct DistinctCheck {
  std::size_t requests = 0, distinct = 0;
  double share = 0;
  bool is_repeated = false;  ///< share below 99 %
};
std::optional<DistinctCheck> check_distinct(std::span<const std::uint64_t> hashes);

/// Codes: prompt_length_off, prompt_cached, prompts_repeated. Empty where there is nothing to warn of.
std::optional<Warning> warning_of(const LengthCheck& check);
std::optional<Warning> warning_of(const CacheCheck& check);
std::optional<Warning> warning_of(const DistinctCheck& check);
/// Code prompt_truncated. Only where lengths are exact (LengthModel::is_exact) does a shorter prompt prove that the
/// server cut it.
std::optional<Warning> truncation_of(const LengthCheck& check, bool is_exact);

}  // namespace scoville::dataset
