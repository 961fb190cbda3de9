#pragma once

#include <span>
#include <string_view>

namespace scoville::dataset {

/// How every synthetic prompt begins. It takes part in the offset, so it may cost any number of tokens.
inline constexpr std::string_view kFirstWord = "The";

/// 512 short English words, lower-case, each one token behind a blank in the vocabularies of GPT-2, GPT-3.5, GPT-4o,
/// Llama 2, Mistral 7B, Qwen and Qwen3 (tried; SmolLM2 too). Commonest first: where some other vocabulary splits a few,
/// they stand near the end, and a search that halves the list finds a clean front after few counts.
std::span<const std::string_view> vocabulary();

}  // namespace scoville::dataset
