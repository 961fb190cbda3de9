#include "portability/scan.hpp"

#include <algorithm>

#include "portability/masking.hpp"
#include "portability/printable.hpp"

namespace scoville::portability {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 10;

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool holds(std::string_view text, std::string_view what) { return text.find(what) != text.npos; }

/// One source with its hits, read line by line.
class Reading {
 public:
  Reading(const Matcher& matcher, Language language, std::string_view name, std::string_view text)
      : matcher_(matcher), language_(language), name_(name), text_(text) {}

  Scan run() && {
    out_.lines = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
    if (!text_.empty() && text_.back() != '\n') ++out_.lines;
    look_at_name();
    matcher_.words().find(text_, hits_);
    if (hits_.empty()) return std::move(out_);
    mask_ = mask(language_, text_);
    std::sort(hits_.begin(), hits_.end(), [](auto a, auto b) { return a.begin < b.begin; });
    for (std::size_t from = 0; from < hits_.size();) from = line_at(from);
    return std::move(out_);
  }

 private:
  /// The line of the hit `from`: its findings. Returns the first hit behind it.
  std::size_t line_at(std::size_t from) {
    const std::size_t at = hits_[from].begin;
    const std::size_t before = at == 0 ? text_.npos : text_.rfind('\n', at - 1);
    begin_ = before == text_.npos ? 0 : before + 1;
    end_ = std::min(text_.find('\n', at), text_.size());
    number_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                     text_.begin() + static_cast<std::ptrdiff_t>(begin_), '\n'));
    counted_ = begin_;
    first_ = from;
    behind_ = from;
    while (behind_ < hits_.size() && hits_[behind_].begin < end_) ++behind_;
    if (end_ - begin_ > kLongestLine) {
      ++out_.unread_lines;
    } else {
      read_line();
    }
    return behind_;
  }

  void read_line() {
    candidates_.clear();
    taken_.clear();
    mentioned_.clear();
    for (std::size_t i = first_; i < behind_; ++i)
      for (const std::uint16_t rule : matcher_.rules_of(hits_[i].word)) candidates_.push_back(rule);
    std::sort(candidates_.begin(), candidates_.end());
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    bool is_too_much = false;
    for (const std::uint16_t rule : candidates_) {
      if (!matcher_.set().rules[rule].reads(language_)) continue;
      is_too_much |= !find_spans(rule);
      for (const Span& span : spans_) judge(rule, span);
    }
    out_.unread_lines += is_too_much ? 1 : 0;
    out_.mentions += mentioned_.size();
  }

  /// Where the rule holds in this line. False: too much for the library.
  bool find_spans(std::size_t rule) {
    spans_.clear();
    const std::string_view line = text_.substr(begin_, end_ - begin_);
    if (const std::optional<Pattern>& pattern = matcher_.pattern(rule)) return pattern->find_all(line, spans_);
    for (std::size_t i = first_; i < behind_; ++i) {
      const std::size_t from = hits_[i].begin, to = from + matcher_.words().size_of(hits_[i].word);
      if (!matcher_.is_of(hits_[i].word, rule)) continue;
      const bool goes_on_left = from > 0 && is_word(text_[from]) && is_word(text_[from - 1]);
      const bool goes_on_right = to < text_.size() && is_word(text_[to - 1]) && is_word(text_[to]);
      if (!goes_on_left && !goes_on_right) spans_.push_back({from - begin_, to - begin_});
    }
    return true;
  }

  void judge(std::size_t rule, const Span& span) {
    const std::size_t anchor = anchor_of(rule, span);
    if (anchor == text_.npos || overlaps(taken_, span)) return;
    if ((place_of(anchor) & matcher_.set().rules[rule].where) != 0) {
      taken_.push_back(span);
      std::erase_if(mentioned_, [&](const Span& other) { return overlaps({other}, span); });
      note(rule, span.begin);
    } else if (mask_[anchor] != kCode && !overlaps(mentioned_, span)) {
      mentioned_.push_back(span);
    }
  }

  /// The first of the rule's words within `span`, which says whether the place is code, a string or a comment.
  std::size_t anchor_of(std::size_t rule, const Span& span) const {
    for (std::size_t i = first_; i < behind_; ++i) {
      const std::size_t from = hits_[i].begin, to = from + matcher_.words().size_of(hits_[i].word);
      if (from >= begin_ + span.begin && to <= begin_ + span.end && matcher_.is_of(hits_[i].word, rule)) return from;
    }
    return text_.npos;
  }

  static bool overlaps(const std::vector<Span>& list, const Span& span) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Span& other) { return other.begin < span.end && span.begin < other.end; });
  }

  std::uint8_t place_of(std::size_t anchor) const {
    if (mask_[anchor] == kComment) return 0;
    std::uint8_t out = mask_[anchor] == kString ? kInStrings : kInCode;
    if (is_import()) out |= kInImports;
    if (is_dependency(mask_[anchor] == kString)) out |= kInDependencies;
    return out;
  }

  bool is_import() const {
    std::string_view line = text_.substr(begin_, end_ - begin_);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (language_ == Language::python) return line.starts_with("import ") || line.starts_with("from ");
    return line.starts_with("#") && holds(line.substr(0, line.find_first_of("<\"")), "include");
  }

  bool is_dependency(bool is_string) const {
    switch (language_) {
      case Language::requirements:
      case Language::toml:
        return true;
      case Language::python:
        return is_string && name_ == "setup.py";
      case Language::yaml:
        if (name_.starts_with("environment") || name_.starts_with("conda")) return true;
        [[fallthrough]];
      case Language::shell:
      case Language::dockerfile:
        return installs();
      default:
        return false;
    }
  }

  /// A command that installs packages, over all its lines.
  bool installs() const {
    std::size_t from = begin_;
    while (from > 1 && text_[from - 2] == '\\') {
      const std::size_t before = text_.rfind('\n', from - 2);
      from = before == text_.npos ? 0 : before + 1;
    }
    const std::string_view command = text_.substr(from, end_ - from);
    constexpr std::string_view kVerbs[] = {"pip install", "pip3 install", "conda install",   "mamba install", "uv add",
                                           "uv pip",      "apt install",  "apt-get install", "poetry add"};
    return std::any_of(std::begin(kVerbs), std::end(kVerbs),
                       [&](std::string_view verb) { return holds(command, verb); });
  }

  void note(std::size_t rule, std::size_t column) {
    Finding found;
    found.rule = rule;
    found.line = number_;
    found.column = static_cast<std::uint32_t>(column + 1);
    found.text = printable(text_.substr(begin_, end_ - begin_));
    out_.findings.push_back(std::move(found));
  }

  /// Rules about the name of a file find one place in it, at its first line.
  void look_at_name() {
    for (std::size_t rule = 0; rule < matcher_.set().rules.size(); ++rule) {
      const Rule& its = matcher_.set().rules[rule];
      const std::optional<Pattern>& pattern = matcher_.pattern(rule);
      if ((its.where & kInName) == 0 || !its.reads(language_) || !pattern) continue;
      spans_.clear();
      if (!pattern->find_all(name_, spans_) || spans_.empty()) continue;
      Finding found;
      found.rule = rule;
      found.text = printable(name_);
      out_.findings.push_back(std::move(found));
    }
  }

  const Matcher& matcher_;
  Language language_;
  std::string_view name_, text_;
  std::string mask_;
  std::vector<Words::Hit> hits_;
  std::size_t begin_ = 0, end_ = 0, first_ = 0, behind_ = 0,
              counted_ = 0;  ///< the line, its hits, lines counted so far
  std::uint32_t number_ = 1;
  std::vector<std::uint16_t> candidates_;
  std::vector<Span> spans_, taken_, mentioned_;
  Scan out_;
};

}  // namespace

Scan scan(const Matcher& matcher, Language language, std::string_view name, std::string_view text) {
  return Reading(matcher, language, name, text).run();
}

}  // namespace scoville::portability
