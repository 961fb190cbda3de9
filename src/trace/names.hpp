#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "trace/event.hpp"

namespace scoville::trace {

/// Each text once, under a number. At most kMostNames and kMostBytes are kept (a writer may put a serial number into
/// each name): further ones are all `kOther`.
class Names {
 public:
  static constexpr std::size_t kMostNames = 200000, kMostBytes = 16 << 20;

  /// The number of a text as it stands in the file, with its escapes.
  std::uint32_t number(std::string_view raw) {
    const auto found = numbers_.find(raw);
    if (found != numbers_.end()) return found->second;
    if (raws_.size() >= kMostNames || bytes_ + raw.size() > kMostBytes) {
      is_full_ = true;
      raw = kOther;
      if (const auto other = numbers_.find(raw); other != numbers_.end()) return other->second;
    }
    bytes_ += raw.size();
    const std::uint32_t number = static_cast<std::uint32_t>(raws_.size());
    numbers_.emplace(raws_.emplace_back(raw), number);
    return number;
  }
  std::string text(std::uint32_t number) const { return unescaped(raws_[number]); }
  std::size_t size() const { return raws_.size(); }
  bool is_full() const { return is_full_; }

 private:
  static constexpr std::string_view kOther = "(other names)";
  std::deque<std::string> raws_;  // stay where they are
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::size_t bytes_ = 0;
  bool is_full_ = false;
};

}  // namespace scoville::trace
