#pragma once

#include <cstdint>
#include <vector>

#include "dataset/dialogue.hpp"
#include "dataset/text_lengths.hpp"

namespace scoville::dataset {

/// Which lengths of which rows are wanted.
struct LengthsWanted {
  bool inputs = false;   ///< of the user's texts
  bool outputs = true;   ///< of the recorded answers
  std::size_t rows = 0;  ///< the first so many
};

/// Fills input_tokens and output_tokens where they are not known.
void find_lengths(Dialogues& dialogues, const LengthsWanted& wanted, TextLengths& lengths);

/// Every answer gets this limit.
void fix_outputs(Dialogues& dialogues, std::uint32_t tokens);

/// No more turns than this.
void limit_turns(Dialogues& dialogues, std::size_t most);

/// Drops conversations that do not fit a context of `limit` tokens, history included; returns their lines. Those of
/// unknown length stay.
std::vector<std::uint64_t> drop_too_long(Dialogues& dialogues, std::uint32_t limit);

/// Drops what `vllm bench serve` drops of ShareGPT, judged by the first turn; returns how many. Those of unknown
/// length stay.
std::size_t prune_like_vllm(Dialogues& dialogues);

/// Its rule: prompt or answer below 4 tokens, prompt above 1024, both together above 2048.
bool vllm_prunes(std::uint64_t prompt_tokens, std::uint64_t output_tokens);

}  // namespace scoville::dataset
