#include "telemetry/prometheus.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace scoville::telemetry {
namespace {

constexpr std::array<std::string_view, 7> kFaultNames{"name",     "labels",  "value",    "timestamp",
                                                      "exemplar", "comment", "after_end"};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':'; }
bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

/// The rest of a line, eaten from the front.
class Cursor {
 public:
  explicit Cursor(std::string_view rest) : rest_(rest) {}

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool at_end() const { return rest_.empty(); }
  bool at(char c) const { return !rest_.empty() && rest_.front() == c; }
  bool take(char c) {
    if (!at(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view rest() const { return rest_; }

  /// A metric or label name; "" if none begins here.
  std::string_view take_name() {
    std::size_t n = 0;
    if (!rest_.empty() && is_name_start(rest_.front())) {
      while (n < rest_.size() && is_name_char(rest_[n])) ++n;
    }
    return take_front(n);
  }
  /// Up to the next blank.
  std::string_view take_word() {
    std::size_t n = 0;
    while (n < rest_.size() && !is_blank(rest_[n])) ++n;
    return take_front(n);
  }
  /// A text in double quotes with \\, \" and \n; any other escape stays as it stands.
  std::optional<std::string> take_quoted() {
    if (!take('"')) return std::nullopt;
    std::string out;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return out;
      if (c != '\\' || rest_.empty()) {
        out += c;
        continue;
      }
      const char escaped = rest_.front();
      rest_.remove_prefix(1);
      if (escaped == 'n') {
        out += '\n';
      } else {
        if (escaped != '\\' && escaped != '"') out += '\\';
        out += escaped;
      }
    }
    return std::nullopt;
  }

 private:
  std::string_view take_front(std::size_t n) {
    const std::string_view front = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return front;
  }
  std::string_view rest_;
};

/// What Go's ParseFloat takes, but for hexadecimal and underscores, which no exporter writes.
std::optional<double> parse_value(std::string_view word) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-') || word.starts_with('+')) return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size() || word.back() == ')') {
    return std::nullopt;
  }
  return value;
}

/// `{a="1",b="2",}`, the name of the metric among them in quotes where it stands outside of the classic alphabet.
bool take_labels(Cursor& cursor, std::vector<Label>& labels, std::string* name) {
  if (!cursor.take('{')) return false;
  for (;;) {
    cursor.skip_blanks();
    if (cursor.take('}')) return true;
    std::string key;
    if (cursor.at('"')) {
      std::optional<std::string> quoted = cursor.take_quoted();
      if (!quoted) return false;
      key = std::move(*quoted);
    } else {
      key = cursor.take_name();
    }
    cursor.skip_blanks();
    if (cursor.take('=')) {
      cursor.skip_blanks();
      std::optional<std::string> value = cursor.take_quoted();
      if (key.empty() || !value) return false;
      labels.push_back({std::move(key), std::move(*value)});
    } else if (name && name->empty() && !key.empty()) {
      *name = std::move(key);
    } else {
      return false;
    }
    cursor.skip_blanks();
    if (!cursor.take(',') && !cursor.at('}')) return false;
  }
}

/// `unit` is what one means: a millisecond, or in OpenMetrics a second. Times beyond the year 2262 are none.
std::optional<Nanos> parse_time(std::string_view word, double unit_ns) {
  const std::optional<double> number = parse_value(word);
  if (!number || !std::isfinite(*number) || std::abs(*number * unit_ns) >= 9.2e18) return std::nullopt;
  return Nanos(std::llround(*number * unit_ns));
}

std::string unescape_help(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == '\\')) {
      out += text[++i] == 'n' ? '\n' : '\\';
    } else {
      out += text[i];
    }
  }
  return out;
}

class Reader {
 public:
  explicit Reader(double time_unit_ns) : time_unit_ns_(time_unit_ns) {}

  void read(std::string_view line) {
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    Cursor cursor(line);
    cursor.skip_blanks();
    if (cursor.at_end()) return;
    std::optional<Fault> fault;
    if (out.is_openmetrics) {
      fault = Fault::after_end;
    } else if (cursor.take('#')) {
      fault = read_comment(cursor);
    } else {
      fault = read_sample(cursor);
    }
    if (!fault) return;
    ++out.bad_count;
    if (out.bad.size() < Exposition::kMaxBadLines) out.bad.push_back({line_, *fault});
  }

  Exposition out;

 private:
  Family& family(std::string_view name) {
    if (out.families.empty() || out.families.back().name != name) {
      for (Family& each : out.families) {
        if (each.name == name) return each;
      }
      out.families.emplace_back().name = name;
    }
    return out.families.back();
  }

  std::optional<Fault> read_comment(Cursor cursor) {
    cursor.skip_blanks();
    const std::string_view word = cursor.take_word();
    if (word == "EOF" && cursor.at_end()) out.is_openmetrics = true;
    if (word != "HELP" && word != "TYPE" && word != "UNIT") return std::nullopt;
    cursor.skip_blanks();
    std::string name;
    if (cursor.at('"')) {
      name = cursor.take_quoted().value_or("");
    } else {
      name = cursor.take_name();
    }
    if (name.empty() || (!cursor.at_end() && !is_blank(cursor.rest().front()))) return Fault::comment;
    cursor.skip_blanks();
    if (word == "HELP") {
      family(name).help = unescape_help(cursor.rest());
      return std::nullopt;
    }
    const std::string_view said = cursor.take_word();
    cursor.skip_blanks();
    if (!cursor.at_end() || (said.empty() && word == "TYPE")) return Fault::comment;
    (word == "TYPE" ? family(name).type : family(name).unit) = said;
    return std::nullopt;
  }

  std::optional<Fault> read_sample(Cursor cursor) {
    Sample sample;
    sample.name = cursor.take_name();
    if (sample.name.empty() && !cursor.at('{')) return Fault::name;
    const bool is_named = !sample.name.empty();
    cursor.skip_blanks();
    if (cursor.at('{') && !take_labels(cursor, sample.labels, is_named ? nullptr : &sample.name)) return Fault::labels;
    if (sample.name.empty()) return Fault::name;
    cursor.skip_blanks();
    const std::optional<double> value = parse_value(cursor.take_word());
    if (!value) return Fault::value;
    sample.value = *value;
    cursor.skip_blanks();
    if (!cursor.at_end() && !cursor.at('#')) {
      sample.at = parse_time(cursor.take_word(), time_unit_ns_);
      if (!sample.at) return Fault::timestamp;
      cursor.skip_blanks();
    }
    if (cursor.take('#') && !read_exemplar(cursor, sample)) return Fault::exemplar;
    if (!cursor.at_end()) return Fault::timestamp;
    out.samples.push_back(std::move(sample));
    return std::nullopt;
  }

  bool read_exemplar(Cursor& cursor, Sample& sample) {
    Exemplar exemplar;
    cursor.skip_blanks();
    if (!take_labels(cursor, exemplar.labels, nullptr)) return false;
    cursor.skip_blanks();
    const std::optional<double> value = parse_value(cursor.take_word());
    if (!value) return false;
    exemplar.value = *value;
    cursor.skip_blanks();
    if (!cursor.at_end()) {
      exemplar.at = parse_time(cursor.take_word(), 1e9);  // exemplars are OpenMetrics' own: always seconds
      if (!exemplar.at) return false;
      cursor.skip_blanks();
    }
    sample.exemplar = std::move(exemplar);
    return cursor.at_end();
  }

  double time_unit_ns_;
  std::size_t line_ = 0;
};

bool ends_with_eof(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || is_blank(text.back()))) text.remove_suffix(1);
  return text.ends_with("# EOF") && (text.size() == 5 || text[text.size() - 6] == '\n');
}

}  // namespace

std::string_view name_of(Fault fault) { return kFaultNames[static_cast<std::size_t>(fault)]; }

std::string_view Sample::label(std::string_view label_name) const {
  for (const Label& each : labels) {
    if (each.name == label_name) return each.value;
  }
  return "";
}

bool Sample::has(std::span<const Label> wanted) const {
  return std::all_of(wanted.begin(), wanted.end(), [&](const Label& each) { return label(each.name) == each.value; });
}

const Sample* Exposition::find(std::string_view name, std::span<const Label> wanted) const {
  for (const Sample& each : samples) {
    if (each.name == name && each.has(wanted)) return &each;
  }
  return nullptr;
}

std::optional<double> Exposition::sum(std::string_view name, std::span<const Label> wanted) const {
  std::optional<double> total;
  for (const Sample& each : samples) {
    if (each.name == name && each.has(wanted)) total = total.value_or(0) + each.value;
  }
  return total;
}

const Family* Exposition::family(std::string_view name) const {
  constexpr std::array<std::string_view, 7> kSuffixes{"", "_total", "_bucket", "_sum", "_count", "_created", "_info"};
  for (const std::string_view suffix : kSuffixes) {
    if (!name.ends_with(suffix)) continue;
    const std::string_view stem = name.substr(0, name.size() - suffix.size());
    for (const Family& each : families) {
      if (each.name == stem) return &each;
    }
  }
  return nullptr;
}

bool Exposition::has_prefix(std::string_view prefix) const {
  return std::any_of(samples.begin(), samples.end(), [&](const Sample& each) { return each.name.starts_with(prefix); });
}

Exposition parse_exposition(std::string_view text) {
  Reader reader(ends_with_eof(text) ? 1e9 : 1e6);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader.out);
}

}  // namespace scoville::telemetry
