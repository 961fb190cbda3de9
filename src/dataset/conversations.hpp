#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dataset/dialogue.hpp"
#include "dataset/prompt_source.hpp"
#include "dataset/token_counter.hpp"

namespace scoville::dataset {

struct ConversationOptions {
  text::Phrase description;
  Api api = Api::chat;
  Nanos think = Nanos::zero();  ///< before each turn but the first
};

/// Recorded conversations: what their users said, turn after turn, after the answers that the server really gave. With
/// one turn each they are single requests. In the file's order, and from its beginning again.
///
/// Sent as they are, without a salt. Thread-safe.
class ConversationPrompts : public PromptSource {
 public:
  /// `dialogues` has one row at least, each with one turn at least.
  ConversationPrompts(Dialogues dialogues, ConversationOptions options);

  Prompt make(std::uint64_t index) const override;
  Chain chain(std::uint64_t number) const override;
  Prompt follow_up(std::uint64_t number, std::span<const std::string> answers) const override;
  Nanos think_time(std::uint64_t, std::uint32_t) const override { return options_.think; }
  std::optional<std::uint64_t> size() const override { return firsts_.back(); }
  /// A later turn repeats the ones before.
  bool shares_prefixes() const override { return firsts_.back() > rows_.size(); }

  text::Phrase describe() const override { return options_.description; }
  /// Of texts, recorded answers and limits that do not come from those.
  std::uint64_t dataset_hash() const override { return hash_; }

 private:
  Prompt turn_of(const Dialogue& dialogue, std::span<const std::string> answers) const;

  std::vector<Dialogue> rows_;
  ConversationOptions options_;
  std::vector<std::uint64_t> firsts_;  ///< of each conversation its first request, and one end
  std::uint64_t hash_;
};

}  // namespace scoville::dataset
