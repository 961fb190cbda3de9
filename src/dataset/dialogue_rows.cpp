#include "dataset/dialogue_rows.hpp"

#include <algorithm>

namespace scoville::dataset {
namespace {

/// All that the last turn's request and answer hold; 0: a part is not known.
std::uint64_t tokens_of(const Dialogue& dialogue) {
  std::uint64_t sum = 0;
  for (const DialogueTurn& turn : dialogue.turns) {
    if (turn.input_tokens == 0) return 0;
    sum += std::uint64_t{turn.input_tokens} + turn.output_tokens;
  }
  return sum;
}

}  // namespace

void find_lengths(Dialogues& dialogues, const LengthsWanted& wanted, TextLengths& lengths) {
  const std::size_t rows = std::min(wanted.rows, dialogues.rows.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (DialogueTurn& turn : dialogues.rows[i].turns) {
      if (wanted.inputs && turn.input_tokens == 0) turn.input_tokens = lengths.tokens(turn.text);
      if (wanted.outputs && turn.output_tokens == 0 && !turn.answer.empty())
        turn.output_tokens = lengths.tokens(turn.answer);
    }
  }
}

void fix_outputs(Dialogues& dialogues, std::uint32_t tokens) {
  for (Dialogue& dialogue : dialogues.rows) {
    for (DialogueTurn& turn : dialogue.turns) turn.output_tokens = tokens;
  }
}

void limit_turns(Dialogues& dialogues, std::size_t most) {
  for (Dialogue& dialogue : dialogues.rows) {
    if (dialogue.turns.size() > most) dialogue.turns.resize(most);
  }
}

std::vector<std::uint64_t> drop_too_long(Dialogues& dialogues, std::uint32_t limit) {
  std::vector<std::uint64_t> dropped;
  std::erase_if(dialogues.rows, [&](const Dialogue& dialogue) {
    const bool is_too_long = tokens_of(dialogue) > limit;
    if (is_too_long) dropped.push_back(dialogue.line);
    return is_too_long;
  });
  return dropped;
}

bool vllm_prunes(std::uint64_t prompt_tokens, std::uint64_t output_tokens) {
  return prompt_tokens < 4 || output_tokens < 4 || prompt_tokens > 1024 || prompt_tokens + output_tokens > 2048;
}

std::size_t prune_like_vllm(Dialogues& dialogues) {
  return std::erase_if(dialogues.rows, [](const Dialogue& dialogue) {
    const DialogueTurn& first = dialogue.turns.front();
    return first.input_tokens > 0 && vllm_prunes(first.input_tokens, first.output_tokens);
  });
}

}  // namespace scoville::dataset
