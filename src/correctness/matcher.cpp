#include "correctness/matcher.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

#include "correctness/regex_matcher.hpp"
#include "text/catalogue.hpp"

namespace scoville::correctness {
namespace {

using text::Msg;
using text::say;

constexpr std::array<std::string_view, 4> kNames{"exact", "number", "choice", "regex"};
constexpr double kTolerance = 1e-6;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }

/// Full-width forms (U+FF01 … U+FF5E) as the ASCII that they stand for, U+2212 as "-", U+3000 as a blank.
std::string folded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
    if (byte(i) == 0xEF && (byte(i + 1) == 0xBC || byte(i + 1) == 0xBD) && byte(i + 2) >= 0x80) {
      const unsigned code = 0xF000 | ((byte(i + 1) & 0x3F) << 6) | (byte(i + 2) & 0x3F);
      if (code >= 0xFF01 && code <= 0xFF5E) {
        out += static_cast<char>(code - 0xFF01 + '!');
        i += 2;
        continue;
      }
    }
    if (byte(i) == 0xE2 && byte(i + 1) == 0x88 && byte(i + 2) == 0x92) {
      out += '-';
      i += 2;
    } else if (byte(i) == 0xE3 && byte(i + 1) == 0x80 && byte(i + 2) == 0x80) {
      out += ' ';
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWide = "\xE3\x80\x80";  // U+3000
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  for (bool goes_on = true; goes_on && !text.empty();) {
    goes_on = false;
    if (is_blank(text.front()))
      text.remove_prefix(1), goes_on = true;
    else if (text.starts_with(kWide))
      text.remove_prefix(kWide.size()), goes_on = true;
  }
  for (bool goes_on = true; goes_on && !text.empty();) {
    goes_on = false;
    if (is_blank(text.back()))
      text.remove_suffix(1), goes_on = true;
    else if (text.ends_with(kWide))
      text.remove_suffix(kWide.size()), goes_on = true;
  }
  return text;
}

// ---------------------------------------------------------------------------------------------------- numbers

/// A number that begins at `at` (a digit, or a point before one); `at` is then behind it.
double read_number(std::string_view text, std::size_t& at) {
  std::string digits;
  const auto digit_at = [&](std::size_t place) { return place < text.size() && is_digit(text[place]); };
  const auto is_group = [&](std::size_t comma) {
    return text[comma] == ',' && digit_at(comma + 1) && digit_at(comma + 2) && digit_at(comma + 3) &&
           !digit_at(comma + 4);
  };
  while (digit_at(at)) digits += text[at++];
  if (!digits.empty() && digits.size() <= 3) {
    for (; at < text.size() && is_group(at); at += 4) digits.append(text, at + 1, 3);
  }
  if (at < text.size() && text[at] == '.' && digit_at(at + 1)) {
    digits += text[at++];
    while (digit_at(at)) digits += text[at++];
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 1 : 0;
    if (digit_at(at + 1 + sign)) {
      digits += 'e';
      if (sign == 1 && text[at + 1] == '-') digits += '-';
      at += 1 + sign;
      while (digit_at(at)) digits += text[at++];
    }
  }
  double value = std::nan("");
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// ---------------------------------------------------------------------------------------------------- choices

bool is_word(std::string_view text, std::size_t at) {
  return at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || text[at] == '_' || text[at] == '\'');
}

/// The letter at `at`, behind brackets, stars and blanks, if it stands alone. A small one must be followed by
/// punctuation or by nothing: "the answer is a dog" chooses none.
std::optional<char> letter_behind(std::string_view text, std::size_t at) {
  while (at < text.size() && std::string_view(" \t\n\r:([*\"`{$").find(text[at]) != std::string_view::npos) ++at;
  if (at >= text.size() || !is_letter(text[at]) || is_word(text, at + 1)) return std::nullopt;
  const bool is_small = text[at] >= 'a';
  const bool is_closed = at + 1 >= text.size() ||
                         std::string_view(").]*,:;}\"`$\n").find(text[at + 1]) != std::string_view::npos ||
                         static_cast<unsigned char>(text[at + 1]) >= 0x80;
  if (is_small && !is_closed) return std::nullopt;
  return upper(text[at]);
}

/// Words that announce the letter, in small letters. The Chinese ones: "the answer is", "answer", "correct answer is",
/// "choose", "should choose", "option".
constexpr std::array<std::string_view, 11> kAnnouncements{
    "answer is",
    "answer:",
    "answer",
    "choice is",
    "option is",
    "option",
    "boxed",
    "\xE7\xAD\x94\xE6\xA1\x88\xE6\x98\xAF",  // 答案是
    "\xE7\xAD\x94\xE6\xA1\x88",              // 答案
    "\xE9\x80\x89\xE6\x8B\xA9",              // 选择
    "\xE9\x80\x89",                          // 选
};

std::optional<char> announced_letter(const std::string& text) {
  std::string small = text;
  std::transform(small.begin(), small.end(), small.begin(), lower);
  std::optional<char> found;
  std::size_t found_at = 0;
  for (const std::string_view words : kAnnouncements) {
    for (std::size_t at = small.find(words); at != std::string::npos; at = small.find(words, at + 1)) {
      const auto letter = letter_behind(text, at + words.size());
      if (letter && (!found || at + words.size() >= found_at)) {
        found = letter;
        found_at = at + words.size();
      }
    }
  }
  return found;
}

/// "B", "(b)", "B. Paris": a letter at the very beginning, closed by punctuation or alone.
std::optional<char> leading_letter(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && std::string_view(" ([*\"`").find(text[at]) != std::string_view::npos) ++at;
  if (at >= text.size() || !is_letter(text[at])) return std::nullopt;
  const std::string_view rest = text.substr(at + 1);
  const bool is_alone = rest.empty() || std::string_view(").]*,:;\"`\n").find(rest[0]) != std::string_view::npos ||
                        (static_cast<unsigned char>(rest[0]) >= 0x80 && !rest.starts_with("\xE2\x80\x99"));
  return is_alone ? std::optional(upper(text[at])) : std::nullopt;
}

/// The one capital from A to J that stands alone anywhere, if there is only one; "A dog" and "I think" have none.
std::optional<char> only_letter(std::string_view text) {
  std::optional<char> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < 'A' || text[i] > 'J' || is_word(text, i + 1) || (i > 0 && is_word(text, i - 1))) continue;
    const bool opens_words = i + 2 < text.size() && text[i + 1] == ' ' && text[i + 2] >= 'a' && text[i + 2] <= 'z';
    if (opens_words && (text[i] == 'A' || text[i] == 'I')) continue;
    if (found && *found != text[i]) return std::nullopt;
    found = text[i];
  }
  return found;
}

// ---------------------------------------------------------------------------------------------------- matchers

class Exact final : public Matcher {
 public:
  explicit Exact(std::vector<std::string> expected) : expected_(std::move(expected)) {}
  Match match(std::string_view answer) const override {
    const bool is_right = std::any_of(expected_.begin(), expected_.end(),
                                      [&](const std::string& each) { return trimmed(answer) == trimmed(each); });
    return is_right ? Match::right : Match::wrong;
  }

 private:
  std::vector<std::string> expected_;
};

class Number final : public Matcher {
 public:
  Number(std::vector<double> expected, std::optional<double> tolerance)
      : expected_(std::move(expected)), tolerance_(tolerance) {}
  Match match(std::string_view answer) const override {
    const std::optional<double> found = last_number(answer);
    if (!found) return Match::wrong;
    const bool is_right = std::any_of(expected_.begin(), expected_.end(), [&](double each) {
      return std::fabs(*found - each) <= tolerance_.value_or(kTolerance * std::max(1.0, std::fabs(each)));
    });
    return is_right ? Match::right : Match::wrong;
  }

 private:
  std::vector<double> expected_;
  std::optional<double> tolerance_;
};

class Choice final : public Matcher {
 public:
  explicit Choice(std::string letters) : letters_(std::move(letters)) {}
  Match match(std::string_view answer) const override {
    const std::optional<char> letter = chosen_letter(answer);
    return letter && letters_.find(*letter) != std::string::npos ? Match::right : Match::wrong;
  }

 private:
  std::string letters_;
};

Error expected_is(Msg what) { return {ErrorCode::invalid_argument, say(what)}; }

}  // namespace

std::optional<MatcherKind> matcher_from(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<MatcherKind>(i);
  }
  return std::nullopt;
}

std::string_view name_of(MatcherKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string answer_part(std::string_view text) {
  constexpr std::string_view kOpen = "<think>", kClose = "</think>";
  if (const std::size_t close = text.rfind(kClose); close != std::string_view::npos) {
    text.remove_prefix(close + kClose.size());
  }
  if (const std::size_t open = text.find(kOpen); open != std::string_view::npos) text = text.substr(0, open);
  return std::string(trimmed(text));
}

std::optional<double> last_number(std::string_view given) {
  const std::string text = folded(given);
  std::optional<double> found;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_point = text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!is_digit(text[at]) && !is_point) {
      ++at;
      continue;
    }
    const bool has_sign = at > 0 && text[at - 1] == '-' &&
                          (at < 2 || !(is_word(text, at - 2) || text[at - 2] == ')' || text[at - 2] == '.'));
    const double value = read_number(text, at);
    if (std::isfinite(value)) found = has_sign ? -value : value;
  }
  return found;
}

std::optional<char> chosen_letter(std::string_view given) {
  const std::string text(trimmed(folded(given)));
  if (const auto announced = announced_letter(text)) return announced;
  if (const auto leading = leading_letter(text)) return leading;
  return only_letter(text);
}

Result<std::unique_ptr<Matcher>> Matcher::make(MatcherKind kind, const std::vector<std::string>& expected,
                                               std::optional<double> tolerance) {
  switch (kind) {
    case MatcherKind::exact:
      return std::unique_ptr<Matcher>(std::make_unique<Exact>(expected));
    case MatcherKind::number: {
      std::vector<double> numbers;
      for (const std::string& each : expected) {
        double value = 0;
        const auto [end, fault] = std::from_chars(each.data(), each.data() + each.size(), value);
        if (fault != std::errc() || end != each.data() + each.size() || !std::isfinite(value))
          return expected_is(Msg::task_expects_number);
        numbers.push_back(value);
      }
      return std::unique_ptr<Matcher>(std::make_unique<Number>(std::move(numbers), tolerance));
    }
    case MatcherKind::choice: {
      std::string letters;
      for (const std::string& each : expected) {
        if (each.size() != 1 || !is_letter(each[0])) return expected_is(Msg::task_expects_letter);
        letters += upper(each[0]);
      }
      return std::unique_ptr<Matcher>(std::make_unique<Choice>(std::move(letters)));
    }
    case MatcherKind::regex:
      return make_regex_matcher(expected);
  }
  return expected_is(Msg::task_expects_matcher);
}

}  // namespace scoville::correctness
