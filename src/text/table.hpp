#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace scoville::text {

/// Rows of cells, aligned for a terminal. The first column is flush left, all others flush right; widths count
/// double-width characters as the terminal draws them.
class Table {
 public:
  explicit Table(std::vector<std::string> header);

  /// Column `column` (from 0) is flush left: for words.
  void flush_left(std::size_t column);
  /// Missing cells are empty; more cells than the header has are our own bug.
  void add_row(std::vector<std::string> cells);
  /// A thin line between rows.
  void add_rule();

  /// Two blanks before each line and between columns, a rule under the header, a line feed after each line.
  std::string render() const;

 private:
  std::vector<bool> is_left_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

}  // namespace scoville::text
