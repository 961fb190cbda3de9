#include "workload/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace scoville::workload {
namespace {

std::uint32_t tokens_of(std::uint64_t chars, double ratio) {
  const double tokens = std::round(static_cast<double>(chars) * ratio);
  return static_cast<std::uint32_t>(std::clamp(tokens, 1.0, 4e9));
}

void fill_input(LoggedRequest& row, double ratio, std::uint32_t assumed, LengthDoubts& doubts) {
  if (row.input_tokens && *row.input_tokens > 0) return;
  const PromptShape* const prompt = row.prompt ? &*row.prompt : nullptr;
  if (prompt && prompt->token_ids > 0) {
    row.input_tokens = static_cast<std::uint32_t>(std::min<std::uint64_t>(prompt->token_ids, UINT32_MAX));
  } else if ((prompt && prompt->chars > 0) || row.request_bytes) {
    row.input_tokens = tokens_of(prompt && prompt->chars > 0 ? prompt->chars : *row.request_bytes, ratio);
    ++doubts.estimated_input;
  } else {
    row.input_tokens = assumed;
    ++doubts.assumed_input;
  }
}

/// Nearest rank: a length that was seen.
std::uint32_t median(std::vector<std::uint32_t>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// What the log knows of an answer without a count.
std::optional<std::uint64_t> size_of_answer(const LoggedRequest& row) {
  if (row.has_failed()) return std::nullopt;
  if (row.answer_chars && *row.answer_chars > 0) return row.answer_chars;
  return !row.prompt && row.answer_bytes && *row.answer_bytes > 0 ? row.answer_bytes : std::nullopt;
}

}  // namespace

TokensPerChar tokens_per_char(std::span<const LoggedRequest> requests, std::optional<double> given) {
  double tokens = 0, chars = 0;
  std::size_t measured = 0;
  for (const LoggedRequest& each : requests) {
    if (!each.input_tokens || !each.prompt || each.prompt->chars == 0 || each.prompt->other_parts > 0) continue;
    tokens += *each.input_tokens;
    chars += static_cast<double>(each.prompt->chars);
    ++measured;
  }
  if (measured > 0 && tokens > 0) return {tokens / chars, TokensPerChar::Source::measured, measured};
  if (given) return {*given, TokensPerChar::Source::given, 0};
  return {};
}

LengthDoubts fill_lengths(std::span<LoggedRequest> requests, const TokensPerChar& ratio, std::uint32_t assumed) {
  LengthDoubts doubts;
  std::map<std::string, std::vector<std::uint32_t>> of_model;
  std::vector<std::uint32_t> of_all;
  for (LoggedRequest& row : requests) {
    fill_input(row, ratio.value, assumed, doubts);
    if (!row.output_tokens) {
      const auto size = size_of_answer(row);
      if (!size) continue;
      row.output_tokens = tokens_of(*size, ratio.value);
      ++doubts.estimated_output;
    }
    row.output_tokens = std::max<std::uint32_t>(*row.output_tokens, 1);  // 0 would mean: not limited
    of_model[row.model].push_back(*row.output_tokens);
    of_all.push_back(*row.output_tokens);
  }
  for (LoggedRequest& row : requests) {
    if (row.output_tokens) continue;
    const auto known = of_model.find(row.model);
    auto& values = known == of_model.end() ? of_all : known->second;
    row.output_tokens = values.empty() ? 0 : median(values);
    ++(values.empty() ? doubts.unlimited_output : doubts.median_output);
  }
  return doubts;
}

}  // namespace scoville::workload
