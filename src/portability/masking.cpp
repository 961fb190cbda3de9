#include "portability/masking.hpp"

#include <algorithm>
#include <cctype>

namespace scoville::portability {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), out_(text.size(), kCode) {}

 protected:
  bool is_over() const { return at_ >= text_.size(); }
  char here() const { return text_[at_]; }
  char after(std::size_t n) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }
  char before() const { return at_ > 0 ? text_[at_ - 1] : '\n'; }
  bool stands(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  void take(std::size_t n, Part part) {
    const std::size_t end = std::min(at_ + n, text_.size());
    std::fill(out_.begin() + static_cast<std::ptrdiff_t>(at_), out_.begin() + static_cast<std::ptrdiff_t>(end), part);
    at_ = end;
  }
  /// Up to and with `end`, or to the end of the text.
  void take_through(std::string_view end, std::size_t from, Part part) {
    const std::size_t found = text_.find(end, std::min(at_ + from, text_.size()));
    take(found == text_.npos ? text_.size() - at_ : found + end.size() - at_, part);
  }
  void take_line(Part part) {
    const std::size_t end = text_.find('\n', at_);
    take((end == text_.npos ? text_.size() : end) - at_, part);
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

class Python : Scanner {
 public:
  using Scanner::Scanner;

  std::string run() && {
    while (!is_over()) step();
    return std::move(out_);
  }

 private:
  static constexpr int kDeepest = 6;  ///< f-strings within f-strings

  void step() {
    const char c = here();
    if (c == '#') return take_line(kComment);
    if (c == '"' || c == '\'') return literal(false);
    if (c == '\n') {
      if (brackets_ == 0 && before() != '\\') begins_statement_ = true;
      return take(1, kCode);
    }
    if (c == ' ' || c == '\t' || c == '\r') return take(1, kCode);
    if (is_word(c)) return word();
    if (c == '(' || c == '[' || c == '{') ++brackets_;
    if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) --brackets_;
    begins_statement_ = false;
    take(1, kCode);
  }

  void word() {
    std::size_t size = 1;
    while (is_word(after(size))) ++size;
    const std::string_view word = text_.substr(at_, size);
    const char next = after(size);
    const bool is_prefix =
        size <= 2 && (next == '"' || next == '\'') && word.find_first_not_of("rRbBuUfFtT") == std::string_view::npos;
    take(size, kCode);
    if (is_prefix) return literal(word.find_first_of("fFtT") != word.npos);
    begins_statement_ = false;
  }

  void literal(bool is_format) {
    const char quote = here();
    const bool is_triple = after(1) == quote && after(2) == quote;
    const Part part = begins_statement_ && !is_format ? kComment : kString;
    begins_statement_ = false;
    const std::string end(is_triple ? 3 : 1, quote);
    take(end.size(), part);
    while (!is_over()) {
      if (stands(end)) return take(end.size(), part);
      if (here() == '\n' && !is_triple) return;
      if (here() == '\\') {
        take(2, part);
      } else if (is_format && here() == '{' && after(1) != '{' && depth_ < kDeepest) {
        field(end);
      } else {
        take(is_format && here() == '{' ? 2 : 1, part);
      }
    }
  }

  /// `{…}` of an f-string: code, with what strings it holds. Ends where its string does, whatever is missing.
  void field(const std::string& end) {
    ++depth_;
    take(1, kCode);
    int open = 1;
    while (!is_over() && open > 0 && !stands(end) && !(here() == '\n' && end.size() == 1)) {
      const char c = here();
      if (c == '"' || c == '\'') {
        literal(before() == 'f');
        continue;
      }
      if (c == '{') ++open;
      if (c == '}') --open;
      take(1, kCode);
    }
    --depth_;
  }

  int brackets_ = 0, depth_ = 0;
  bool begins_statement_ = true;
};

class CFamily : Scanner {
 public:
  using Scanner::Scanner;

  std::string run() && {
    while (!is_over()) step();
    return std::move(out_);
  }

 private:
  void step() {
    if (stands("//")) return line_comment();
    if (stands("/*")) return take_through("*/", 2, kComment);
    if (here() == '"') return is_raw() ? raw() : quoted('"');
    if (here() == '\'' && !is_word(before())) return quoted('\'');
    take(1, kCode);
  }

  void line_comment() {
    take_line(kComment);
    while (!is_over() && before() == '\\') {  // goes on in the next line
      take(1, kComment);
      take_line(kComment);
    }
  }

  void quoted(char quote) {
    take(1, kString);
    while (!is_over()) {
      if (here() == quote) return take(1, kString);
      if (here() == '\n') return;
      take(here() == '\\' ? 2 : 1, kString);
    }
  }

  /// An R before the quote, which is no other word's last letter.
  bool is_raw() const {
    if (before() != 'R') return false;
    std::size_t from = at_ - 1;
    while (from > 0 && is_word(text_[from - 1])) --from;
    const std::string_view prefix = text_.substr(from, at_ - from);
    return prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R";
  }

  void raw() {
    const std::size_t open = text_.find('(', at_);
    constexpr std::size_t kLongestMark = 16;  // [lex.string]
    if (open == text_.npos || open - at_ - 1 > kLongestMark) return quoted('"');
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    take_through(end, open - at_, kString);
  }
};

/// Those whose comments begin with '#', and where a quoted word is code.
class Hash : Scanner {
 public:
  Hash(std::string_view text, bool is_cmake) : Scanner(text), is_cmake_(is_cmake) {}

  std::string run() && {
    while (!is_over()) step();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = here();
    if (c == '\n') {
      quote_ = '\0';  // an apostrophe in the text of a here-document opens no string
    } else if (c == '\\') {
      return take(after(1) == '\n' ? 1 : 2, kCode);
    } else if (quote_ != '\0') {
      if (c == quote_) quote_ = '\0';
    } else if (c == '"' || c == '\'') {
      quote_ = c;
    } else if (c == '#' && (is_cmake_ || begins_word())) {
      return stands("#[[") && is_cmake_ ? take_through("]]", 3, kComment) : take_line(kComment);
    }
    take(1, kCode);
  }
  bool begins_word() const { return before() == '\n' || before() == ' ' || before() == '\t' || before() == ';'; }

  bool is_cmake_;
  char quote_ = '\0';
};

}  // namespace

std::string mask(Language language, std::string_view text) {
  switch (language) {
    case Language::python:
      return Python(text).run();
    case Language::cpp:
    case Language::cuda:
      return CFamily(text).run();
    default:
      return Hash(text, language == Language::cmake).run();
  }
}

}  // namespace scoville::portability
