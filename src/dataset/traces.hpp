#pragma once

#include <string_view>

#include "base/result.hpp"
#include "dataset/workload.hpp"

namespace scoville::dataset {

// Public traces of real services: when requests came and how long they were, not what they said. A row that cannot be
// used goes to Workload::bad with its line and the reason; an Error means that the text is no such trace at all.

/// Mooncake (FAST '25): {"timestamp": ms, "input_length", "output_length", "hash_ids": [blocks of 512 tokens]} a line.
Workload parse_mooncake(std::string_view content);

/// Azure LLM inference 2023 and 2024: TIMESTAMP,ContextTokens,GeneratedTokens.
Result<Workload> parse_azure(std::string_view content);

/// BurstGPT: Timestamp (seconds), Request tokens, Response tokens, found by the names of their columns. No response
/// tokens means that the request failed in the log.
Result<Workload> parse_burstgpt(std::string_view content);

/// {"prompt_tokens": n, "output_tokens": n} a line: lengths without times.
Workload parse_lengths_file(std::string_view content);

}  // namespace scoville::dataset
