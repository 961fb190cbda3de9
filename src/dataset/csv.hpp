#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::dataset {

/// Reads a comma separated text record by record (RFC 4180): quoted fields, doubled quotes, line feeds within quotes,
/// "\r\n". A byte order mark and empty lines are passed over. The text must outlive it.
class CsvReader {
 public:
  explicit CsvReader(std::string_view content);

  /// False: there is no further record.
  bool next();
  /// Of the record that next() found.
  const std::vector<std::string>& fields() const { return fields_; }
  /// In which it begins, from 1.
  std::uint64_t line() const { return line_; }

 private:
  void read_quoted(std::string& field);

  std::string_view rest_;
  std::vector<std::string> fields_;
  std::uint64_t line_ = 0, next_line_ = 1;
};

/// The place of a column in the head, capitals and blanks at its ends apart.
std::optional<std::size_t> column(const std::vector<std::string>& head, std::string_view name);

/// Without blanks at its ends.
std::string_view trimmed(std::string_view text);

}  // namespace scoville::dataset
