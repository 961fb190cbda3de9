#include "text/table.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "text/width.hpp"

namespace scoville::text {

Table::Table(std::vector<std::string> header) {
  SCOVILLE_CHECK(!header.empty(), "a table has at least one column");
  is_left_.assign(header.size(), false);
  is_left_[0] = true;
  rows_.push_back(std::move(header));
  rows_.emplace_back();
}

void Table::flush_left(std::size_t column) {
  SCOVILLE_CHECK(column < is_left_.size(), "the table has this column");
  is_left_[column] = true;
}

void Table::add_row(std::vector<std::string> cells) {
  SCOVILLE_CHECK(!cells.empty() && cells.size() <= rows_.front().size(), "a row fits its header");
  cells.resize(rows_.front().size());
  rows_.push_back(std::move(cells));
}

void Table::add_rule() { rows_.emplace_back(); }

std::string Table::render() const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> widths(columns, 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  std::size_t total = 2 * (columns - 1);
  for (const std::size_t width : widths) total += width;

  std::string out;
  for (const auto& row : rows_) {
    std::string line = "  ";
    if (row.empty()) {
      for (std::size_t i = 0; i < total; ++i) line += "─";
    }
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += is_left_[c] ? pad_right(row[c], widths[c]) : pad_left(row[c], widths[c]);
    }
    while (line.ends_with(' ')) line.pop_back();
    out += line + '\n';
  }
  return out;
}

}  // namespace scoville::text
