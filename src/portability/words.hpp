#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::portability {

/// Finds many words in one pass over a text (Aho and Corasick, 1975), so that an expression is only tried on lines that
/// hold a word of its rule.
class Words {
 public:
  struct Hit {
    std::uint32_t begin = 0;
    std::uint16_t word = 0;  ///< in the list given
  };

  /// None is empty, no two are the same.
  explicit Words(const std::vector<std::string>& words);

  /// Every occurrence, overlapping ones too, in the order of their ends. Texts up to 4 GiB.
  void find(std::string_view text, std::vector<Hit>& into) const;
  std::size_t size_of(std::uint16_t word) const { return sizes_[word]; }

 private:
  static constexpr std::uint16_t kNone = 0xffff;

  void add(std::string_view word, std::uint16_t number);
  void link();

  std::array<std::uint8_t, 256> class_of_{};  ///< bytes that no word holds share class 0
  std::size_t classes_ = 1;
  std::vector<std::uint16_t> next_;    ///< by state × class
  std::vector<std::uint16_t> word_;    ///< that ends in a state; kNone
  std::vector<std::uint16_t> suffix_;  ///< the nearest state that ends a shorter word there; 0: none
  std::vector<std::uint32_t> sizes_;
};

}  // namespace scoville::portability
