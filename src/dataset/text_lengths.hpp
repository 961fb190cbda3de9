#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// How many tokens recorded texts have: by the server's own count for the first ones, then by their characters, at the
/// ratio that those had.
class TextLengths {
 public:
  /// `counter` may be null: then all are estimated. It outlives this.
  TextLengths(TokenCounter* counter, std::size_t most_counts);

  /// Without template and BOS; at least 1.
  std::uint32_t tokens(const std::string& text);

  std::size_t counted() const { return counted_; }
  std::size_t estimated() const { return estimated_; }

 private:
  TokenCounter* counter_;
  std::size_t left_;
  std::int64_t fixed_ = 0;  ///< tokens of a request without a text
  std::size_t counted_ = 0, estimated_ = 0;
  double counted_tokens_ = 0, counted_guess_ = 0;
};

/// By characters alone: four of ASCII a token, three of others two tokens, as common vocabularies have it.
double guess_tokens(std::string_view text);

}  // namespace scoville::dataset
