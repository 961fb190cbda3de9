#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::correctness {

/// How an answer is held against what was expected. The names are those of the file; docs/formats/tasks.md has the
/// rules.
enum class MatcherKind { exact, number, choice, regex };
std::optional<MatcherKind> matcher_from(std::string_view name);
std::string_view name_of(MatcherKind kind);

enum class Match { right, wrong, too_complex };

/// One expectation, ready to be held against answers. Thread-safe: it keeps no state.
class Matcher {
 public:
  virtual ~Matcher() = default;
  /// `answer`: what answer_part() left of it.
  virtual Match match(std::string_view answer) const = 0;

  /// `expected`: any of them will do. `tolerance`: of a number, absolute; empty: 1e-6 of the expected one, at least
  /// 1e-6. The error says what was expected of `expected`.
  static Result<std::unique_ptr<Matcher>> make(MatcherKind kind, const std::vector<std::string>& expected,
                                               std::optional<double> tolerance);
};

/// The answer without thoughts and without white space at its ends: what follows the last "</think>"; nothing where
/// "<think>" was opened and not closed.
std::string answer_part(std::string_view text);

/// The last number of a text: sign, digits with or without commas for thousands, decimals, exponent. Full-width digits
/// count.
std::optional<double> last_number(std::string_view text);

/// The letter chosen, 'A' to 'Z'.
std::optional<char> chosen_letter(std::string_view text);

}  // namespace scoville::correctness
