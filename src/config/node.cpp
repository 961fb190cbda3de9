#include "config/node.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "base/duration.hpp"
#include "base/file.hpp"
#include "text/catalogue/config.hpp"
#include "text/nearest.hpp"

namespace scoville::config {
namespace {

using text::ConfigMsg;
using text::say;

struct Fault {
  int line;
  std::string path, what;
  bool is_misspelt = false;  ///< a key that nobody asked for, and much like one that somebody did
};

bool reads_double(const std::string& scalar, double& out) {
  const char* const end = scalar.data() + scalar.size();
  const char* const begin = scalar.data() + (scalar.starts_with('+') ? 1 : 0);
  const auto [rest, error] = std::from_chars(begin, end, out);
  return error == std::errc() && rest == end && std::isfinite(out);
}

std::string shown(const YAML::Node& node) {
  if (node.IsMap()) return say(ConfigMsg::a_map);
  if (node.IsSequence()) return say(ConfigMsg::a_list);
  std::string scalar = node.Scalar();
  if (scalar.size() > 60) scalar = scalar.substr(0, 57) + "...";
  return fmt::format("\"{}\"", scalar);
}

}  // namespace

struct Node::File {
  std::string where;
  std::vector<Fault> faults;
  /// What was asked for of each map, and the maps themselves: by path.
  std::map<std::string, std::set<std::string>> asked;
  std::map<std::string, YAML::Node> maps;

  Fault unknown(const std::string& path, const std::string& key, int line) const;
  void look_for_unknown_keys(std::vector<Fault>& into) const;
};

Fault Node::File::unknown(const std::string& path, const std::string& key, int line) const {
  const std::set<std::string>& set = asked.at(path);
  const std::vector<std::string> known(set.begin(), set.end());
  const std::string near = text::nearest(key, known);
  return {line, path.empty() ? key : path + "." + key,
          near.empty() ? say(ConfigMsg::unknown_key, fmt::to_string(fmt::join(known, ", ")))
                       : say(ConfigMsg::unknown_key_near, near),
          !near.empty()};
}

void Node::File::look_for_unknown_keys(std::vector<Fault>& into) const {
  for (const auto& [path, node] : maps) {
    std::set<std::string> seen;
    for (const auto& pair : node) {
      const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : "?";
      const int line = pair.first.Mark().line + 1;
      if (!seen.insert(key).second)
        into.push_back({line, path.empty() ? key : path + "." + key, say(ConfigMsg::key_twice), false});
      else if (!asked.at(path).contains(key))
        into.push_back(unknown(path, key, line));
    }
  }
}

Node::Node(std::shared_ptr<File> file, YAML::Node node, std::string path, int line)
    : file_(std::move(file)), node_(std::move(node)), path_(std::move(path)), line_(line) {
  if (!is_map()) return;
  file_->maps.emplace(path_, node_);
  file_->asked[path_];
}

Result<Node> Node::load(const std::string& path) {
  Result<std::string> read = read_file(path);
  if (!read) return read.error();
  return parse(*read, path);
}

Result<Node> Node::parse(const std::string& yaml, const std::string& where) {
  try {
    YAML::Node root = YAML::Load(yaml);
    auto file = std::make_shared<File>();
    file->where = where;
    if (!root.IsMap())
      return Error{ErrorCode::invalid_argument,
                   say(ConfigMsg::fault_whole, where,
                       say(ConfigMsg::is_wrong, root.IsNull() ? "–" : shown(root), say(ConfigMsg::a_map)))};
    return Node(std::move(file), std::move(root), "", 1);
  } catch (const YAML::Exception& wrong) {
    return Error{ErrorCode::invalid_argument, fmt::format("{}:{}:{}: {}", where, wrong.mark.line + 1,
                                                          wrong.mark.column + 1, say(ConfigMsg::not_yaml, wrong.msg))};
  }
}

std::string Node::name_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

Node Node::child(const std::string& key) const {
  if (!is_map()) return Node(file_, YAML::Node(YAML::NodeType::Undefined), name_of(key), line_);
  file_->asked[path_].insert(key);
  const YAML::Node& readable = node_;  // operator[] of a const node makes nothing
  const YAML::Node found = readable[key];
  if (!found.IsDefined()) return Node(file_, YAML::Node(YAML::NodeType::Undefined), name_of(key), line_);
  return Node(file_, found, name_of(key), found.Mark().is_null() ? line_ : found.Mark().line + 1);
}

Node Node::required(const std::string& key, const std::string& expected) const {
  Node out = child(key);
  if (!out.exists() && exists()) note(out.line_, out.path_, say(ConfigMsg::is_missing, expected));
  return out;
}

bool Node::has(const std::string& key) const { return child(key).exists(); }
Node Node::maybe(const std::string& key) const { return child(key); }

Node Node::map(const std::string& key) const {
  Node out = required(key, say(ConfigMsg::a_map));
  if (out.exists() && !out.is_map()) out.fault(say(ConfigMsg::is_wrong, shown(out.node_), say(ConfigMsg::a_map)));
  return out;
}

Node Node::maybe_map(const std::string& key) const { return has(key) ? map(key) : child(key); }

std::vector<Node> Node::list(const std::string& key) const { return required(key, say(ConfigMsg::a_list)).items(); }

std::vector<Node> Node::items() const {
  std::vector<Node> out;
  if (!exists()) return out;
  if (!is_list()) {
    fault(say(ConfigMsg::is_wrong, shown(node_), say(ConfigMsg::a_list)));
    return out;
  }
  for (std::size_t i = 0; i < node_.size(); ++i) {
    const YAML::Node& readable = node_;
    const YAML::Node each = readable[i];
    out.push_back(Node(file_, each, fmt::format("{}[{}]", path_, i), each.Mark().line + 1));
  }
  return out;
}

std::vector<Node> Node::maybe_list(const std::string& key) const { return has(key) ? list(key) : std::vector<Node>(); }

std::vector<std::pair<std::string, Node>> Node::entries() const {
  std::vector<std::pair<std::string, Node>> out;
  if (!is_map()) return out;
  for (const auto& pair : node_) {
    if (pair.first.IsScalar()) out.emplace_back(pair.first.Scalar(), child(pair.first.Scalar()));
  }
  return out;
}

std::string Node::as_text() const {
  if (is_scalar()) return node_.Scalar();
  if (exists()) fault(say(ConfigMsg::is_wrong, shown(node_), say(ConfigMsg::a_text)));
  return "";
}

bool Node::reads_number(Range range, double& out) const {
  if (!is_scalar() || !reads_double(node_.Scalar(), out)) return false;
  return out >= range.least && out <= range.most && !(range.excludes_least && out == range.least);
}

double Node::as_number(Range range) const {
  double out = 0;
  if (!exists() || reads_number(range, out)) return out;
  fault(say(ConfigMsg::is_wrong, shown(node_), expected_number(range)));
  return 0;
}

std::string Node::text(const std::string& key) const { return required(key, say(ConfigMsg::a_text)).as_text(); }

std::optional<std::string> Node::maybe_text(const std::string& key) const {
  const Node found = child(key);
  if (!found.exists()) return std::nullopt;
  return found.as_text();
}

std::string Node::text_or(const std::string& key, std::string fallback) const {
  return maybe_text(key).value_or(std::move(fallback));
}

std::vector<std::string> Node::maybe_texts(const std::string& key) const {
  const Node found = child(key);
  if (!found.exists()) return {};
  if (!found.is_list()) return {found.as_text()};
  std::vector<std::string> out;
  for (const Node& each : list(key)) out.push_back(each.as_text());
  return out;
}

double Node::number(const std::string& key, Range range) const {
  return required(key, expected_number(range)).as_number(range);
}

std::optional<double> Node::maybe_number(const std::string& key, Range range) const {
  const Node found = child(key);
  if (!found.exists()) return std::nullopt;
  return found.as_number(range);
}

double Node::number_or(const std::string& key, Range range, double fallback) const {
  return maybe_number(key, range).value_or(fallback);
}

std::size_t Node::count(const std::string& key, std::size_t least, std::size_t most) const {
  const std::string expected = say(ConfigMsg::a_count, least, most);
  const Node found = required(key, expected);
  double out = 0;
  if (!found.exists()) return 0;
  if (found.reads_number({static_cast<double>(least), static_cast<double>(most)}, out) && out == std::floor(out))
    return static_cast<std::size_t>(out);
  found.fault(say(ConfigMsg::is_wrong, shown(found.node_), expected));
  return 0;
}

std::optional<std::size_t> Node::maybe_count(const std::string& key, std::size_t least, std::size_t most) const {
  if (!has(key)) return std::nullopt;
  return count(key, least, most);
}

std::optional<bool> Node::maybe_flag(const std::string& key) const {
  const Node found = child(key);
  if (!found.exists()) return std::nullopt;
  if (found.is_scalar() && (found.node_.Scalar() == "true" || found.node_.Scalar() == "yes")) return true;
  if (found.is_scalar() && (found.node_.Scalar() == "false" || found.node_.Scalar() == "no")) return false;
  found.fault(say(ConfigMsg::is_wrong, shown(found.node_), say(ConfigMsg::a_yes_no)));
  return std::nullopt;
}

bool Node::flag_or(const std::string& key, bool fallback) const { return maybe_flag(key).value_or(fallback); }

std::optional<std::string> Node::maybe_date(const std::string& key) const {
  const Node found = child(key);
  if (!found.exists()) return std::nullopt;
  if (found.is_scalar() && is_date(found.node_.Scalar())) return found.node_.Scalar();
  found.fault(say(ConfigMsg::is_wrong, shown(found.node_), say(ConfigMsg::a_date)));
  return std::nullopt;
}

std::string Node::date(const std::string& key) const {
  required(key, say(ConfigMsg::a_date));
  return maybe_date(key).value_or("");
}

std::optional<Nanos> Node::maybe_duration(const std::string& key) const {
  const Node found = child(key);
  if (!found.exists()) return std::nullopt;
  if (found.is_scalar()) {
    if (const auto span = parse_duration(found.node_.Scalar())) return span;
  }
  found.fault(say(ConfigMsg::is_wrong, shown(found.node_), say(ConfigMsg::a_duration)));
  return std::nullopt;
}

std::optional<std::size_t> Node::maybe_choice(const std::string& key, const std::vector<std::string>& names) const {
  const Node found = child(key);
  if (!found.exists()) return std::nullopt;
  const std::string expected = say(ConfigMsg::one_of, fmt::to_string(fmt::join(names, ", ")));
  if (found.is_scalar()) {
    const auto at = std::find(names.begin(), names.end(), found.node_.Scalar());
    if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  }
  found.fault(say(ConfigMsg::is_wrong, shown(found.node_), expected));
  return std::nullopt;
}

std::size_t Node::choice(const std::string& key, const std::vector<std::string>& names) const {
  required(key, say(ConfigMsg::one_of, fmt::to_string(fmt::join(names, ", "))));
  return maybe_choice(key, names).value_or(0);
}

void Node::note(int line, const std::string& path, const std::string& what) const {
  file_->faults.push_back({line, path.empty() ? "–" : path, what, false});
}

void Node::fault(const std::string& what) const { note(line_, path_, what); }

void Node::fault(const std::string& key, const std::string& what) const { child(key).fault(what); }

Status Node::finish() const {
  std::vector<Fault> all = file_->faults;
  file_->look_for_unknown_keys(all);
  if (all.empty()) return Done{};
  // What is misspelt is missing elsewhere: told first, it is the cause.
  std::stable_sort(all.begin(), all.end(), [](const Fault& a, const Fault& b) {
    return a.is_misspelt != b.is_misspelt ? a.is_misspelt : a.line < b.line;
  });
  const Fault& first = all.front();
  std::string sentence = say(ConfigMsg::fault, file_->where, first.line, first.path, first.what);
  if (all.size() == 2) sentence += " " + say(ConfigMsg::one_more_fault);
  if (all.size() > 2) sentence += " " + say(ConfigMsg::more_faults, all.size() - 1);
  return Error{ErrorCode::invalid_argument, sentence};
}

const std::string& Node::where() const { return file_->where; }
int Node::line() const { return line_; }

std::string expected_number(Range range) {
  if (range.excludes_least && std::isfinite(range.most))
    return say(ConfigMsg::a_number_above_to, range.least, range.most);
  if (range.excludes_least) return say(ConfigMsg::a_number_above, range.least);
  if (std::isfinite(range.least) && std::isfinite(range.most))
    return say(ConfigMsg::a_number_between, range.least, range.most);
  if (std::isfinite(range.least)) return say(ConfigMsg::a_number_from, range.least);
  return say(ConfigMsg::a_number);
}

bool is_date(std::string_view text) {
  int year = 0, month = 0, day = 0;
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto reads = [&](std::size_t at, std::size_t size, int& into) {
    const auto [rest, error] = std::from_chars(text.data() + at, text.data() + at + size, into);
    return error == std::errc() && rest == text.data() + at + size;
  };
  if (!reads(0, 4, year) || !reads(5, 2, month) || !reads(8, 2, day) || month < 1 || day < 1) return false;
  return std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

}  // namespace scoville::config
