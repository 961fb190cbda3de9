#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"

namespace scoville::dataset {

/// Random words at the price of a copy: a quarter of a million of them are drawn once, and a long text is put together
/// of stretches of that.
///
/// Const after its making: threads share it.
class WordStream {
 public:
  static constexpr std::size_t kWords = std::size_t{1} << 18;
  static constexpr std::size_t kStretch = 1024;  ///< words copied from one place
  static constexpr std::size_t kDrawn = 8;       ///< of the front of each text: 48 bits and more of its own

  WordStream(std::span<const std::string_view> words, std::uint64_t seed);

  /// `count` words, each behind a blank: the first eight drawn one by one, so that texts of two generators differ from
  /// their front on, the rest copied from places that `rng` draws. Fewer words are the beginning of more words.
  void append(std::string& out, Rng rng, std::size_t count) const;
  /// All of them drawn one by one.
  void append_drawn(std::string& out, Rng& rng, std::size_t count) const;

  /// Of a word and its blank, at most.
  std::size_t longest_word() const { return longest_; }

 private:
  std::size_t vocabulary_;  ///< the first so many words of the stream are all words, each once
  std::size_t longest_ = 0;
  std::string text_;
  std::vector<std::uint32_t> starts_;  ///< of each word in it, and one end
};

}  // namespace scoville::dataset
