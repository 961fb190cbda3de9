#include "endpoint/words.hpp"

#include "base/rng.hpp"

namespace scoville::endpoint {
namespace {

constexpr std::string_view kConsonants = "bdfghjklmnprstvz", kVowels = "aeio";
constexpr std::uint64_t kVocabulary = 32000;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::uint64_t count_words(std::string_view text) {
  std::uint64_t words = 0;
  bool after_blank = true;
  for (const char c : text) {
    const bool blank = is_blank(c);
    words += after_blank && !blank;
    after_blank = blank;
  }
  return words;
}

void append_words(std::string& out, std::uint64_t seed, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t token = first; token < first + count; ++token) {
    const std::uint64_t bits = ((seed + token + 1) * 0x9e3779b97f4a7c15ULL) >> 52;  // 12 well mixed bits
    const char word[] = {' ', kConsonants[bits >> 8], kVowels[bits >> 6 & 3], kConsonants[bits >> 2 & 15],
                         kVowels[bits & 3]};
    out.append(token == 0 ? word + 1 : word, token == 0 ? 4 : 5);
  }
}

std::uint64_t token_id(std::string_view word) { return hash_bytes(word) % kVocabulary; }

}  // namespace scoville::endpoint
