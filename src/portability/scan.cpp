#include "portability/scan.hpp"

#include <algorithm>

#include "portability/masking.hpp"
#include "portability/printable.hpp"
#include "portability/where.hpp"

namespace scoville::portability {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 10;

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// A span that a rule found outside of what it counts.
struct Mention {
  Span span;
  std::uint16_t rule = 0;
};

bool overlap(const Span& a, const Span& b) { return a.begin < b.end && b.begin < a.end; }

Finding finding(std::size_t rule, std::uint32_t line, std::size_t column, std::string_view text) {
  Finding out;
  out.rule = rule;
  out.line = line;
  out.column = static_cast<std::uint32_t>(column);
  out.text = printable(text);
  return out;
}

/// Rules about the name of a file find one place in it, at its first line.
std::vector<Finding> findings_of_name(const Matcher& matcher, Language language, std::string_view name) {
  std::vector<Finding> out;
  std::vector<Span> spans;
  for (std::size_t rule = 0; rule < matcher.set().rules.size(); ++rule) {
    const Rule& its = matcher.set().rules[rule];
    const std::optional<Pattern>& pattern = matcher.pattern(rule);
    if ((its.where & kInName) == 0 || !its.reads(language) || !pattern) continue;
    spans.clear();
    if (pattern->find_all(name, spans) && !spans.empty()) out.push_back(finding(rule, 1, 1, name));
  }
  return out;
}

/// One source with its hits, read line by line.
class Reading {
 public:
  Reading(const Matcher& matcher, Language language, std::string_view name, std::string_view text)
      : matcher_(matcher), language_(language), name_(name), text_(text) {}

  Scan run() && {
    out_.lines = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
    if (!text_.empty() && text_.back() != '\n') ++out_.lines;
    out_.findings = findings_of_name(matcher_, language_, name_);
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
    for (const Mention& each : mentioned_) out_.mentions.push_back(each.rule);
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
    if (anchor == text_.npos) return;
    if (language_ == Language::yaml && !is_used_in_yaml(text_.substr(begin_, end_ - begin_), span)) return;
    if (std::any_of(taken_.begin(), taken_.end(), [&](const Span& other) { return overlap(other, span); })) return;
    const auto overlaps = [&](const Mention& other) { return overlap(other.span, span); };
    const Part part = static_cast<Part>(mask_[anchor]);
    if ((where_of({language_, name_, text_, begin_, end_}, part) & matcher_.set().rules[rule].where) != 0) {
      taken_.push_back(span);
      std::erase_if(mentioned_, overlaps);
      out_.findings.push_back(finding(rule, number_, span.begin + 1, text_.substr(begin_, end_ - begin_)));
    } else if (part != kCode && std::none_of(mentioned_.begin(), mentioned_.end(), overlaps)) {
      mentioned_.push_back({span, static_cast<std::uint16_t>(rule)});
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

  const Matcher& matcher_;
  Language language_;
  std::string_view name_, text_;
  std::string mask_;
  std::vector<Words::Hit> hits_;
  std::size_t begin_ = 0, end_ = 0, first_ = 0, behind_ = 0,
              counted_ = 0;  ///< the line, its hits, lines counted so far
  std::uint32_t number_ = 1;
  std::vector<std::uint16_t> candidates_;
  std::vector<Span> spans_, taken_;
  std::vector<Mention> mentioned_;
  Scan out_;
};

}  // namespace

Scan scan(const Matcher& matcher, Language language, std::string_view name, std::string_view text) {
  return Reading(matcher, language, name, text).run();
}

}  // namespace scoville::portability
