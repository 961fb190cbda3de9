#pragma once

#include <yaml-cpp/yaml.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

namespace scoville::config {

/// What a number may be. Both ends belong to it, unless `excludes_least`.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool excludes_least = false;
};
inline constexpr Range kAny{};
inline constexpr Range kAtLeastZero{0};
inline constexpr Range kAboveZero{0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range kShare{0, 1};  ///< a part of a whole, from 0 to 1

/// A place in a YAML file that a person wrote, and how to read it.
///
/// A reader asks for every key that it knows, one line each, and goes on whatever it finds: faults are collected for
/// the whole file, each with file, line, field and what was expected. A key that nobody asked for is a fault, with the
/// nearest name that somebody did. So a key is declared once, where it is read:
///
///     const Node site = root.map("site");
///     out.pue = site.number("pue", {1, 3});
///     out.rack_kw = site.maybe_number("rack_kw_limit", kAboveZero);
///     return root.finish(out);                    // the faults of the whole file, or `out`
///
/// What was missing or wrong reads as empty (0, "", a node that is not there): its fault is noted already, and asking
/// further adds none. Copies are views of one file. Not thread-safe.
class Node {
 public:
  /// The top of a file, or of text that came from `where`.
  static Result<Node> load(const std::string& path);
  static Result<Node> parse(const std::string& yaml, const std::string& where);

  bool exists() const { return node_.IsDefined() && !node_.IsNull(); }
  bool is_map() const { return exists() && node_.IsMap(); }
  bool is_list() const { return exists() && node_.IsSequence(); }
  bool is_scalar() const { return exists() && node_.IsScalar(); }
  bool has(const std::string& key) const;  ///< asking makes the key known

  /// Children of a map: required ones note a fault where they are missing.
  Node map(const std::string& key) const;
  Node maybe_map(const std::string& key) const;
  Node maybe(const std::string& key) const;  ///< whatever stands there
  std::vector<Node> list(const std::string& key) const;
  std::vector<Node> maybe_list(const std::string& key) const;
  /// The elements of this node, which is to be a list; a fault where it is something else.
  std::vector<Node> items() const;
  /// Names and values of a map whose keys the user chose.
  std::vector<std::pair<std::string, Node>> entries() const;

  std::string text(const std::string& key) const;
  std::optional<std::string> maybe_text(const std::string& key) const;
  std::string text_or(const std::string& key, std::string fallback) const;
  std::vector<std::string> maybe_texts(const std::string& key) const;  ///< a list of words; one word is a list of one
  double number(const std::string& key, Range range) const;
  std::optional<double> maybe_number(const std::string& key, Range range) const;
  double number_or(const std::string& key, Range range, double fallback) const;
  std::size_t count(const std::string& key, std::size_t least, std::size_t most) const;
  std::optional<std::size_t> maybe_count(const std::string& key, std::size_t least, std::size_t most) const;
  bool flag_or(const std::string& key, bool fallback) const;
  std::optional<bool> maybe_flag(const std::string& key) const;
  /// "2026-08-01", a day that exists.
  std::string date(const std::string& key) const;
  std::optional<std::string> maybe_date(const std::string& key) const;
  std::optional<Nanos> maybe_duration(const std::string& key) const;
  /// One of `names`: its place in them.
  std::size_t choice(const std::string& key, const std::vector<std::string>& names) const;
  std::optional<std::size_t> maybe_choice(const std::string& key, const std::vector<std::string>& names) const;

  /// The node itself as a value, for lists of scalars and for `maybe`.
  std::string as_text() const;
  double as_number(Range range) const;

  /// Notes a fault here, or at the child `key` (at this node's line where it is not there): `what` was expected or
  /// wrong.
  void fault(const std::string& what) const;
  void fault(const std::string& key, const std::string& what) const;

  /// The faults of the whole file as one Error: the first one, and how many more. Keys that nobody asked for are among
  /// them.
  Status finish() const;
  template <class T>
  Result<T> finish(T value) const {
    if (Status status = finish(); !status) return status.error();
    return value;
  }

  const std::string& where() const;                  ///< the file
  int line() const;                                  ///< from 1
  const std::string& path() const { return path_; }  ///< "options[1].price_acc"; empty at the top
  std::string name_of(const std::string& key) const;

 private:
  struct File;
  Node(std::shared_ptr<File> file, YAML::Node node, std::string path, int line);
  Node child(const std::string& key) const;
  Node required(const std::string& key, const std::string& expected) const;
  bool reads_number(Range range, double& out) const;
  void note(int line, const std::string& path, const std::string& what) const;

  std::shared_ptr<File> file_;
  YAML::Node node_;
  std::string path_;
  int line_ = 0;
};

/// "a number from 0 to 1", in the current language.
std::string expected_number(Range range);
/// A day of the calendar, written 2026-08-01.
bool is_date(std::string_view text);

}  // namespace scoville::config
