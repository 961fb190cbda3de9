#include "portability/words.hpp"

#include "base/check.hpp"

namespace scoville::portability {

Words::Words(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    for (const char c : word) {
      std::uint8_t& its = class_of_[static_cast<unsigned char>(c)];
      if (its == 0) its = static_cast<std::uint8_t>(classes_++);
    }
  }
  next_.assign(classes_, 0);
  word_.assign(1, kNone);
  for (const std::string& word : words) {
    sizes_.push_back(static_cast<std::uint32_t>(word.size()));
    add(word, static_cast<std::uint16_t>(sizes_.size() - 1));
  }
  link();
}

void Words::add(std::string_view word, std::uint16_t number) {
  std::size_t state = 0;
  for (const char c : word) {
    const std::size_t edge = state * classes_ + class_of_[static_cast<unsigned char>(c)];
    if (next_[edge] == 0) {
      SCOVILLE_CHECK(word_.size() < kNone, "the words of all rules have fewer than 65535 letters");
      next_[edge] = static_cast<std::uint16_t>(word_.size());
      next_.insert(next_.end(), classes_, 0);
      word_.push_back(kNone);
    }
    state = next_[edge];
  }
  word_[state] = number;
}

/// Breadth first: the state that a state falls back to is nearer the root, hence done already.
void Words::link() {
  std::vector<std::uint16_t> falls_to(word_.size(), 0), queue;
  suffix_.assign(word_.size(), 0);
  for (std::size_t c = 0; c < classes_; ++c)
    if (next_[c] != 0) queue.push_back(next_[c]);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::size_t state = queue[i], fall = falls_to[state];
    suffix_[state] = word_[fall] != kNone ? static_cast<std::uint16_t>(fall) : suffix_[fall];
    for (std::size_t c = 0; c < classes_; ++c) {
      std::uint16_t& next = next_[state * classes_ + c];
      const std::uint16_t otherwise = next_[fall * classes_ + c];
      if (next == 0) {
        next = otherwise;
      } else {
        falls_to[next] = otherwise;
        queue.push_back(next);
      }
    }
  }
}

void Words::find(std::string_view text, std::vector<Hit>& into) const {
  std::size_t state = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    state = next_[state * classes_ + class_of_[static_cast<unsigned char>(text[i])]];
    for (std::size_t ends = state; ends != 0; ends = suffix_[ends]) {
      const std::uint16_t word = word_[ends];
      if (word != kNone) into.push_back({static_cast<std::uint32_t>(i + 1 - sizes_[word]), word});
    }
  }
}

}  // namespace scoville::portability
