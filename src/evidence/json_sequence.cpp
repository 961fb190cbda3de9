#include "evidence/json_sequence.hpp"

#include <algorithm>

#include "text/catalogue.hpp"

namespace scoville::evidence {
namespace {

using text::Msg;
using text::say;

/// Outside of texts, NaN, Infinity and -Infinity become null. Lines stay where they are.
std::string with_nulls(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  bool is_within = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (is_within) {
      const std::size_t length = c == '\\' && i + 1 < text.size() ? 2 : 1;
      out.append(text.substr(i, length));
      i += length;
      is_within = c != '"';
      continue;
    }
    const std::string_view rest = text.substr(i);
    std::size_t literal = 0;
    for (const std::string_view each : {"-Infinity", "Infinity", "-NaN", "NaN"}) {
      if (rest.starts_with(each)) literal = std::max(literal, each.size());
    }
    if (literal > 0) {
      out += "null";
      i += literal;
      continue;
    }
    is_within = c == '"';
    out += c;
    ++i;
  }
  return out;
}

std::size_t line_at(std::string_view text, std::size_t place) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(place, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

std::size_t skip_blanks(std::string_view text, std::size_t place) {
  const std::size_t found = text.find_first_not_of(" \t\r\n", place);
  return found == std::string_view::npos ? text.size() : found;
}

}  // namespace

Result<std::vector<SequenceItem>> read_json_sequence(const std::string& path, std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8, which some editors put first
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  const std::string clean = with_nulls(text);
  std::vector<SequenceItem> out;
  std::size_t line = 1, counted = 0;
  for (std::size_t at = skip_blanks(clean, 0); at < clean.size(); at = skip_blanks(clean, at)) {
    line += line_at(std::string_view(clean).substr(counted), at - counted) - 1;
    counted = at;
    json::stream_parser parser;
    json::error_code fault;
    const std::size_t used = parser.write_some(clean.data() + at, clean.size() - at, fault);
    if (!fault && !parser.done()) parser.finish(fault);
    if (fault) {
      const std::string why = fault.message();
      return Error{ErrorCode::invalid_argument, say(Msg::external_bad_json, path, line_at(clean, at + used), why)};
    }
    out.push_back({parser.release(), line});
    at += used;
  }
  return out;
}

}  // namespace scoville::evidence
