#pragma once

#include <cstdint>
#include <string_view>

#include "dataset/jsonl_rows.hpp"
#include "text/catalogue.hpp"

namespace scoville::workload {

/// Calls take(number, line) for each line that is UTF-8 and not blank, the others but for blank ones go to `bad`. A
/// byte order mark and "\r" at the ends are left out.
template <class Take>
void for_each_line(std::string_view content, std::vector<dataset::BadLine>& bad, Take&& take) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (content.starts_with(kByteOrderMark)) content.remove_prefix(kByteOrderMark.size());
  for (std::uint64_t number = 1; !content.empty(); ++number) {
    std::string_view line = content.substr(0, content.find('\n'));
    content.remove_prefix(line.size() == content.size() ? line.size() : line.size() + 1);
    while (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (const auto offset = dataset::first_invalid_utf8(line)) {
      bad.push_back({number, *offset, text::say(text::Msg::log_not_utf8, *offset)});
    } else {
      take(number, line);
    }
  }
}

}  // namespace scoville::workload
