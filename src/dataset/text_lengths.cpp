#include "dataset/text_lengths.hpp"

#include <algorithm>
#include <cmath>

#include "dataset/vocabulary.hpp"

namespace scoville::dataset {

double guess_tokens(std::string_view text) {
  constexpr double kAscii = 0.25, kOther = 2.0 / 3;
  double tokens = 0;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x80) {
      tokens += kAscii;
    } else if (byte >= 0xC0) {  // the first byte of a character; those that follow it count with it
      tokens += kOther;
    }
  }
  return tokens;
}

TextLengths::TextLengths(TokenCounter* counter, std::size_t most_counts) : counter_(counter), left_(most_counts) {
  if (!counter_) return;
  const Result<std::int64_t> first_word = counter_->count(std::string(kFirstWord));
  if (first_word) {
    fixed_ = *first_word - 1;
  } else {
    counter_ = nullptr;
  }
}

std::uint32_t TextLengths::tokens(const std::string& text) {
  const double guess = guess_tokens(text);
  if (counter_ && left_ > 0) {
    --left_;
    if (const Result<std::int64_t> count = counter_->count(text)) {
      ++counted_;
      const std::int64_t tokens = std::max<std::int64_t>(1, *count - fixed_);
      counted_tokens_ += static_cast<double>(tokens);
      counted_guess_ += guess;
      return static_cast<std::uint32_t>(std::min<std::int64_t>(tokens, UINT32_MAX));
    }
  }
  ++estimated_;
  const double ratio = counted_guess_ > 0 ? counted_tokens_ / counted_guess_ : 1;
  return static_cast<std::uint32_t>(std::clamp(std::round(guess * ratio), 1.0, 4e9));
}

}  // namespace scoville::dataset
