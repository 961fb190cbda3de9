#include "launch/command_words.hpp"

#include <algorithm>
#include <optional>

#include "text/catalogue.hpp"

namespace scoville::launch {
namespace {

using text::Msg;
using text::say;

Error fault(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool needs_shell(char c) { return std::string_view("|&;<>`$").find(c) != std::string_view::npos; }

/// One walk over the line.
class Splitter {
 public:
  Splitter(std::string_view line, const std::string& home) : rest_(line), home_(home) {}

  Result<std::vector<std::string>> run() {
    while (!rest_.empty()) {
      if (is_blank(rest_.front())) {
        close();
        rest_.remove_prefix(1);
      } else if (Status taken = take_part(); !taken) {
        return taken.error();
      }
    }
    close();
    if (words_.empty()) return fault(say(Msg::launch_no_command));
    return words_;
  }

 private:
  void close() {
    if (word_) words_.push_back(*std::move(word_));
    word_.reset();
  }

  Status take_part() {
    const char c = rest_.front();
    if (c == '\'') return take_single();
    if (c == '"') return take_double();
    if (c == '\\') return take_escaped();
    if (needs_shell(c)) return fault(say(Msg::launch_needs_shell, std::string(1, c)));
    if (!word_ && rest_.starts_with("~/") && !home_.empty()) {
      word_ = home_;
      rest_.remove_prefix(1);
      return Done{};
    }
    return put(1);
  }

  Status put(std::size_t count) {
    if (!word_) word_.emplace();
    word_->append(rest_.substr(0, count));
    rest_.remove_prefix(count);
    return Done{};
  }

  Status take_single() {
    const std::size_t end = rest_.find('\'', 1);
    if (end == std::string_view::npos) return fault(say(Msg::launch_open_quote, "'"));
    rest_.remove_prefix(1);
    static_cast<void>(put(end - 1));
    rest_.remove_prefix(1);
    return Done{};
  }

  Status take_double() {
    rest_.remove_prefix(1);
    if (!word_) word_.emplace();
    while (!rest_.empty() && rest_.front() != '"') {
      const bool escapes = rest_.front() == '\\' && rest_.size() > 1 &&
                           std::string_view("\\\"$`\n").find(rest_[1]) != std::string_view::npos;
      if (escapes) rest_.remove_prefix(1);
      if (!escapes && (rest_.front() == '$' || rest_.front() == '`'))
        return fault(say(Msg::launch_needs_shell, std::string(1, rest_.front())));
      static_cast<void>(put(1));
    }
    if (rest_.empty()) return fault(say(Msg::launch_open_quote, "\""));
    rest_.remove_prefix(1);
    return Done{};
  }

  Status take_escaped() {
    if (rest_.size() == 1) return fault(say(Msg::launch_open_quote, "\\"));
    rest_.remove_prefix(1);
    if (rest_.front() == '\n') {  // a line continued
      rest_.remove_prefix(1);
      return Done{};
    }
    return put(1);
  }

  std::string_view rest_;
  const std::string& home_;
  std::optional<std::string> word_;
  std::vector<std::string> words_;
};

bool is_plain(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%{}";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view line, const std::string& home) {
  return Splitter(line, home).run();
}

std::vector<std::string> fill(std::vector<std::string> words, const std::map<std::string, std::string>& values) {
  for (std::string& word : words) {
    for (const auto& [name, value] : values) {
      const std::string place = "{" + name + "}";
      for (std::size_t at = word.find(place); at != std::string::npos; at = word.find(place, at + value.size()))
        word.replace(at, place.size(), value);
    }
  }
  return words;
}

bool has_place(const std::vector<std::string>& words, std::string_view name) {
  const std::string place = "{" + std::string(name) + "}";
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.find(place) != std::string::npos; });
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    if (is_plain(word)) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace scoville::launch
