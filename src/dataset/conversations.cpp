#include "dataset/conversations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/rng.hpp"
#include "dataset/transcript.hpp"

namespace scoville::dataset {

ConversationPrompts::ConversationPrompts(Dialogues dialogues, ConversationOptions options)
    : rows_(std::move(dialogues.rows)),
      options_(std::move(options)),
      hash_(hash_bytes(fmt::format("conversations 1 {}", options_.think.count()))) {
  SCOVILLE_CHECK(!rows_.empty(), "there is a conversation");
  std::uint64_t requests = 0;
  for (Dialogue& row : rows_) {
    firsts_.push_back(requests);
    requests += row.turns.size();
    for (DialogueTurn& turn : row.turns) {
      // A limit counted by the server's tokenizer differs from model to model, the answer that it comes from does not.
      const std::uint32_t limit = turn.answer.empty() ? turn.output_tokens : 0;
      hash_ = hash_bytes(turn.messages_json.empty() ? turn.text : turn.messages_json, hash_);
      hash_ = hash_bytes(fmt::format("\n{}\n", limit), hash_bytes(turn.answer, hash_bytes("\n", hash_)));
      turn.answer = {};
      if (options_.api == Api::completions) turn.messages_json = {};
    }
    hash_ = hash_bytes("\n", hash_);
  }
  firsts_.push_back(requests);
}

Chain ConversationPrompts::chain(std::uint64_t number) const {
  const std::uint64_t pass = number / rows_.size();
  const auto at = static_cast<std::size_t>(number % rows_.size());
  return {pass * firsts_.back() + firsts_[at], static_cast<std::uint32_t>(rows_[at].turns.size())};
}

Prompt ConversationPrompts::turn_of(const Dialogue& dialogue, std::span<const std::string> answers) const {
  Prompt prompt;
  const DialogueTurn& last = dialogue.turns[answers.size()];
  prompt.max_tokens = last.output_tokens;
  if (answers.empty() && last.messages_json.empty()) {
    prompt.text = last.text;
  } else {
    Transcript transcript(options_.api);
    for (std::size_t i = 0; i <= answers.size(); ++i) {
      const DialogueTurn& turn = dialogue.turns[i];
      if (turn.messages_json.empty()) {
        transcript.user(turn.text);
      } else {
        transcript.messages(turn.messages_json, turn.text);
      }
      if (i < answers.size()) transcript.assistant(answers[i]);
    }
    std::move(transcript).into(prompt);
  }
  prompt.hash = hash_bytes(prompt.messages_json.empty() ? prompt.text : prompt.messages_json);
  return prompt;
}

Prompt ConversationPrompts::make(std::uint64_t index) const {
  const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), index % firsts_.back());
  return turn_of(rows_[static_cast<std::size_t>(after - firsts_.begin() - 1)], {});
}

Prompt ConversationPrompts::follow_up(std::uint64_t number, std::span<const std::string> answers) const {
  const Dialogue& dialogue = rows_[static_cast<std::size_t>(number % rows_.size())];
  SCOVILLE_CHECK(!answers.empty() && answers.size() < dialogue.turns.size(), "a turn follows the answers before it");
  return turn_of(dialogue, answers);
}

}  // namespace scoville::dataset
