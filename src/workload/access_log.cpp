#include "workload/access_log.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "workload/log_lines.hpp"
#include "workload/timestamps.hpp"

namespace scoville::workload {
namespace {

using text::Msg;
using text::say;

template <class T>
std::optional<T> number_of(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// The next word of a line: plain, in quotation marks (a backslash takes the next character along) or in brackets.
std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.empty()) return {};
  const char closing = rest[0] == '"' ? '"' : rest[0] == '[' ? ']' : ' ';
  const std::size_t begin = closing == ' ' ? 0 : 1;
  std::size_t end = begin;
  while (end < rest.size() && rest[end] != closing) end += closing == '"' && rest[end] == '\\' ? 2 : 1;
  end = std::min(end, rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(std::min(rest.size(), end + (closing == ' ' ? 0 : 1)));
  return word;
}

/// What may follow referer and agent.
void take_extra(std::string_view word, LoggedRequest& row) {
  const std::size_t mark = word.find_first_of("=:");
  const std::string_view key = mark == std::string_view::npos ? std::string_view() : word.substr(0, mark);
  const std::string_view value = mark == std::string_view::npos ? word : word.substr(mark + 1);
  const auto number = number_of<double>(value);
  if (!number || !std::isfinite(*number) || *number < 0 || *number > 1e9) return;
  if (key == "rl" || key == "request_length") row.request_bytes = static_cast<std::uint64_t>(*number);
  const bool is_time = key.empty() || key == "rt" || key == "request_time";
  if (is_time && !row.e2e) row.e2e = Nanos(std::llround(*number * 1e9));
}

/// Empty: no line of an access log. The request may be of any path.
std::optional<LoggedRequest> read_line(std::string_view line) {
  LoggedRequest row;
  for (int i = 0; i < 3; ++i) next_word(line);  // address, identity, user: not kept
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!line.starts_with('[')) return std::nullopt;
  row.at = parse_access_time(next_word(line));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!row.at || !line.starts_with('"')) return std::nullopt;
  std::string_view request = next_word(line);
  const auto status = number_of<int>(next_word(line));
  if (!status || *status < 100 || *status > 599) return std::nullopt;
  row.method = next_word(request);
  row.path = next_word(request);
  row.path.resize(std::min(row.path.find('?'), row.path.size()));
  row.status = *status;
  const std::string_view bytes = next_word(line);
  row.answer_bytes = number_of<std::uint64_t>(bytes);
  if (!row.answer_bytes && bytes != "-") return std::nullopt;
  for (int i = 0; i < 2 && !line.empty(); ++i) {  // referer and agent, where they are quoted
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with('"')) next_word(line);
  }
  while (line.find_first_not_of(' ') != std::string_view::npos) take_extra(next_word(line), row);
  return row;
}

}  // namespace

bool is_text_path(std::string_view method, std::string_view path) {
  if (!method.empty() && method != "POST") return false;
  path = path.substr(0, path.find('?'));
  while (path.ends_with('/')) path.remove_suffix(1);
  for (const std::string_view end : {"/completions", "/embeddings", "/responses", "/messages", "/generate",
                                     "/generate_stream", "/api/chat", "/api/embed"}) {
    if (path.ends_with(end)) return true;
  }
  return false;
}

bool is_access_line(std::string_view line) { return read_line(line).has_value(); }

LogRows read_access_log(std::string_view content) {
  LogRows found;
  found.has_coarse_times = true;
  for_each_line(content, found.bad, [&](std::uint64_t number, std::string_view line) {
    auto row = read_line(line);
    if (!row) return found.bad.push_back({number, {}, say(Msg::log_not_an_access_line)});
    if (!is_text_path(row->method, row->path)) {
      ++found.skipped;
      return;
    }
    row->line = number;
    if (row->e2e) *row->at -= *row->e2e;
    found.rows.push_back(std::move(*row));
  });
  return found;
}

}  // namespace scoville::workload
