#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "workload/logged_request.hpp"

namespace scoville::workload {

/// How many tokens a character is.
struct TokensPerChar {
  enum class Source { measured, given, assumed };
  double value = 0.25;
  Source source = Source::assumed;
  std::size_t requests = 0;  ///< that it was measured on
};

/// Σ input tokens ÷ Σ characters over the prompts of which both are known and that hold text alone; else what was
/// given; else 0.25, as English has it with common vocabularies. Pure.
TokensPerChar tokens_per_char(std::span<const LoggedRequest> requests, std::optional<double> given);

/// How many lengths are not what a server counted.
struct LengthDoubts {
  std::size_t estimated_input = 0;  ///< from characters or bytes
  std::size_t assumed_input = 0;    ///< nothing is known of the prompt
  std::size_t estimated_output = 0;
  std::size_t median_output = 0;     ///< median of those known of its model, or of all
  std::size_t unlimited_output = 0;  ///< none is known: 0, not limited
};

/// Fills in every input and output length. Pure.
///
/// Input: usage; numbers of tokens; characters (or, in an access log, bytes of the request) × `ratio`; `assumed`.
/// Output: usage; of requests that did not fail, characters of the answer (or bytes, where nothing else is known) ×
/// `ratio`; the median of those known for the same model, failing that of all; 0. An answer of no tokens (an embedding)
/// counts as one, for 0 means that it is not limited.
LengthDoubts fill_lengths(std::span<LoggedRequest> requests, const TokensPerChar& ratio, std::uint32_t assumed);

}  // namespace scoville::workload
