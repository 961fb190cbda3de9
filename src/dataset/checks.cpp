#include "dataset/checks.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

constexpr double kLengthLimit = 0.01, kCachedLimit = 0.01, kDistinctLimit = 0.99;

}  // namespace

std::optional<LengthCheck> check_lengths(std::span<const AskedAndMeasured> requests) {
  if (requests.empty()) return std::nullopt;
  LengthCheck check;
  check.n = requests.size();
  for (const auto& [asked, measured] : requests) {
    const auto wanted = static_cast<double>(asked), got = static_cast<double>(measured);
    check.mean_asked += wanted;
    check.mean_measured += got;
    check.mean_absolute_deviation += std::abs(got - wanted) / wanted;
    check.exact_share += measured == asked;
    check.shorter_share += measured < asked;
  }
  const auto n = static_cast<double>(check.n);
  for (double* sum : {&check.mean_asked, &check.mean_measured, &check.mean_absolute_deviation, &check.exact_share,
                      &check.shorter_share}) {
    *sum /= n;
  }
  check.is_off = std::abs(check.mean_measured - check.mean_asked) > kLengthLimit * check.mean_asked;
  return check;
}

std::optional<CacheCheck> check_cached(std::span<const CachedTokens> requests, std::int64_t fixed_tokens) {
  CacheCheck check;
  check.is_template_only = true;
  for (const auto& [prompt, cached] : requests) {
    check.prompt_tokens += prompt;
    check.cached_tokens += cached;
    check.is_template_only = check.is_template_only && cached <= fixed_tokens;
  }
  if (check.prompt_tokens == 0) return std::nullopt;
  check.share = static_cast<double>(check.cached_tokens) / static_cast<double>(check.prompt_tokens);
  check.is_flattering = check.share > kCachedLimit;
  check.is_template_only = check.is_template_only && check.cached_tokens > 0;
  return check;
}

std::optional<DistinctCheck> check_distinct(std::span<const std::uint64_t> hashes) {
  if (hashes.empty()) return std::nullopt;
  std::vector<std::uint64_t> sorted(hashes.begin(), hashes.end());
  std::sort(sorted.begin(), sorted.end());
  DistinctCheck check;
  check.requests = sorted.size();
  check.distinct = static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  check.share = static_cast<double>(check.distinct) / static_cast<double>(check.requests);
  check.is_repeated = check.share < kDistinctLimit;
  return check;
}

std::optional<Warning> warning_of(const LengthCheck& check) {
  if (!check.is_off) return std::nullopt;
  return make_warning("prompt_length_off", Msg::prompt_length_off, check.mean_measured, check.mean_asked,
                      check.mean_absolute_deviation * 100, check.exact_share * 100);
}

std::optional<Warning> truncation_of(const LengthCheck& check, bool is_exact) {
  if (!is_exact || check.shorter_share == 0) return std::nullopt;
  return make_warning("prompt_truncated", Msg::prompt_truncated, check.shorter_share * 100);
}

std::optional<Warning> warning_of(const CacheCheck& check) {
  if (!check.is_flattering) return std::nullopt;
  if (check.is_planned) return make_warning("prompt_cached_planned", Msg::warn_cached_planned, check.share * 100);
  const Msg sentence = check.is_template_only ? Msg::prompt_cached_template : Msg::prompt_cached;
  return make_warning("prompt_cached", sentence, check.share * 100);
}

std::optional<Warning> warning_of(const DistinctCheck& check) {
  if (!check.is_repeated) return std::nullopt;
  return make_warning("prompts_repeated", Msg::prompts_repeated, check.distinct, check.requests, check.share * 100);
}

}  // namespace scoville::dataset
