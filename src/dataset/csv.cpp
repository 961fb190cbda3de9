#include "dataset/csv.hpp"

#include <strings.h>

#include <algorithm>

#include "dataset/json_lines.hpp"

namespace scoville::dataset {

CsvReader::CsvReader(std::string_view content) : rest_(without_mark(content)) {}

/// `rest_` stands behind the opening quote; afterwards behind the closing one.
void CsvReader::read_quoted(std::string& field) {
  for (;;) {
    const std::size_t end = rest_.find('"');
    const std::string_view part = rest_.substr(0, end);
    next_line_ += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
    field += part;
    rest_.remove_prefix(std::min(rest_.size(), part.size() + 1));
    if (!rest_.starts_with('"')) return;
    field += '"';
    rest_.remove_prefix(1);
  }
}

bool CsvReader::next() {
  while (rest_.starts_with('\n') || rest_.starts_with("\r\n")) {
    next_line_ += 1;
    rest_.remove_prefix(rest_.front() == '\n' ? 1 : 2);
  }
  fields_.clear();
  if (rest_.empty()) return false;
  line_ = next_line_;
  for (;;) {
    std::string& field = fields_.emplace_back();
    if (rest_.starts_with('"')) {
      rest_.remove_prefix(1);
      read_quoted(field);
    }
    const std::size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
    field += rest_.substr(0, end);
    const bool goes_on = end < rest_.size() && rest_[end] == ',';
    rest_.remove_prefix(std::min(rest_.size(), end + 1));
    if (goes_on) continue;
    if (field.ends_with('\r')) field.pop_back();
    next_line_ += 1;
    return true;
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<std::size_t> column(const std::vector<std::string>& head, std::string_view name) {
  for (std::size_t i = 0; i < head.size(); ++i) {
    const std::string_view each = trimmed(head[i]);
    if (each.size() == name.size() && strncasecmp(each.data(), name.data(), name.size()) == 0) return i;
  }
  return std::nullopt;
}

}  // namespace scoville::dataset
