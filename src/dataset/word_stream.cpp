#include "dataset/word_stream.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace scoville::dataset {
namespace {
constexpr std::uint64_t kWordStream = 0x64617461'0006;
}

WordStream::WordStream(std::span<const std::string_view> words, std::uint64_t seed) : vocabulary_(words.size()) {
  SCOVILLE_CHECK(!words.empty() && words.size() + kStretch < kWords, "a word stream has words");
  Rng rng(seed, kWordStream);
  starts_.reserve(kWords + 1);
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::string_view word = i < vocabulary_ ? words[i] : words[rng.below(vocabulary_)];
    starts_.push_back(static_cast<std::uint32_t>(text_.size()));
    (text_ += ' ') += word;
    longest_ = std::max(longest_, word.size() + 1);
  }
  starts_.push_back(static_cast<std::uint32_t>(text_.size()));
}

void WordStream::append_drawn(std::string& out, Rng& rng, std::size_t count) const {
  for (; count > 0; --count) {
    const std::size_t word = rng.below(vocabulary_);
    out.append(text_, starts_[word], starts_[word + 1] - starts_[word]);
  }
}

void WordStream::append(std::string& out, Rng rng, std::size_t count) const {
  const std::size_t drawn = std::min(count, kDrawn);
  append_drawn(out, rng, drawn);
  for (std::size_t left = count - drawn; left > 0;) {
    const std::size_t from = vocabulary_ + rng.below(kWords - kStretch - vocabulary_);
    const std::size_t words = std::min(left, kStretch);
    out.append(text_, starts_[from], starts_[from + words] - starts_[from]);
    left -= words;
  }
}

}  // namespace scoville::dataset
