#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "event/fingerprint.hpp"

namespace scoville::environment {

/// What a file said, or why it did not.
struct Content {
  event::FieldStatus status = event::FieldStatus::absent;
  std::string text;  ///< without blanks and line feeds at its end
  bool ok() const { return status == event::FieldStatus::ok; }
};

/// The files below one folder: "/" on a machine, a folder of fixtures in a test. Paths are given as on the machine.
class Root {
 public:
  explicit Root(std::string path = "/");

  /// At most 1 MiB. Never waits: a pipe without a writer reads as empty.
  Content read(std::string_view path) const;
  /// Names in a folder, sorted; none where it cannot be listed.
  std::vector<std::string> list(std::string_view path) const;
  bool has(std::string_view path) const;
  /// The last part of what a symbolic link points to; "" where there is none.
  std::string link_name(std::string_view path) const;
  /// Paths that match a pattern in which one part may hold a single "*", sorted.
  std::vector<std::string> match(std::string_view pattern) const;

 private:
  std::string real(std::string_view path) const;
  std::string path_;
};

/// The first of `path`'s lines as field `key`, or why it is not known.
void add_file(event::Fingerprint& print, const Root& root, std::string key, const std::string& path,
              bool is_comparable = true);
/// The same for a whole number.
void add_number_file(event::Fingerprint& print, const Root& root, std::string key, const std::string& path);

/// Without blanks at both ends.
std::string_view trim(std::string_view text);
std::vector<std::string_view> lines_of(std::string_view text);
std::string_view first_line(std::string_view text);
std::string lower(std::string_view text);
/// For the place between two dots of a key: lower case, all but letters, digits, "-" and "_" replaced by "_".
std::string key_part(std::string_view text);
/// The whole of the text as a number; null where it is none.
json::value number_in(std::string_view text);

}  // namespace scoville::environment
