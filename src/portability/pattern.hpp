#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::portability {

struct Span {
  std::size_t begin = 0, end = 0;  ///< in bytes; the end does not belong to it
};

/// A regular expression in Perl's syntax (Boost.Regex), searched in single lines, as bytes. Apart, because the
/// library's header is slow to compile.
class Pattern {
 public:
  static Result<Pattern> make(const std::string& perl);

  /// Every place of it that does not overlap the one before, added to `into`. False: the library gave up on this line,
  /// which takes too many steps.
  bool find_all(std::string_view line, std::vector<Span>& into) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace scoville::portability
