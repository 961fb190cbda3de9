#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "portability/matcher.hpp"

namespace scoville::portability {

/// One place that ties code to a vendor.
struct Finding {
  std::size_t rule = 0;      ///< in RuleSet::rules
  std::uint32_t cell = 0;    ///< of a notebook, from 1; 0: not a notebook
  std::uint32_t line = 1;    ///< from 1, in its file or cell
  std::uint32_t column = 1;  ///< from 1, in bytes
  std::string text;          ///< the line without the blanks around it, as valid UTF-8, cut where it is long
};

struct Scan {
  std::size_t lines = 0;
  std::vector<Finding> findings;        ///< by line, then rule
  std::vector<std::uint16_t> mentions;  ///< rules of the places in comments and strings that would count in code
  std::size_t unread_lines = 0;         ///< of more than 64 KiB, or beyond what the library of patterns takes on
};

/// What one source holds. `name` is the file's own, without folders: some rules look at it. Pure.
Scan scan(const Matcher& matcher, Language language, std::string_view name, std::string_view text);

/// The same of a notebook: its cells of code; lines that begin with ! or %pip are shell. An error where it is none.
Result<Scan> scan_notebook(const Matcher& matcher, std::string_view name, const std::string& json);

}  // namespace scoville::portability
