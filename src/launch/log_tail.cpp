#include "launch/log_tail.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string_view>

namespace scoville::launch {
namespace {

constexpr std::uint64_t kMostBytes = 64 << 10;
constexpr std::size_t kLongestLine = 500;

/// argparse, click, clap, getopt, llama.cpp, gflags and CLI11 say it in these words.
constexpr std::array<std::string_view, 15> kRefusals{
    "unrecognized argument", "unrecognised argument", "unknown argument",          "invalid argument",
    "unexpected argument",   "unknown option",        "unrecognized option",       "no such option",
    "invalid option",        "unknown flag",          "unknown command line flag", "unexpected option",
    "invalid choice",        "error: argument",       "invalid value for"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// The length of the UTF-8 character that begins here; 0: there is none.
std::size_t character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80             ? 1
                             : (first & 0xe0) == 0xc0 ? 2
                             : (first & 0xf0) == 0xe0 ? 3
                             : (first & 0xf8) == 0xf0 ? 4
                                                      : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return first == 0xc0 || first == 0xc1 ? 0 : length;
}

/// The length of the escape sequence that begins here: ESC [ … letter, else ESC and the one after it.
std::size_t escape(std::string_view text) {
  if (text.size() < 2 || text[1] != '[') return std::min<std::size_t>(2, text.size());
  const std::size_t end = text.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 2);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::string cleaned(std::string_view line) {
  std::string out;
  while (!line.empty() && out.size() < kLongestLine) {
    const auto byte = static_cast<unsigned char>(line[0]);
    std::size_t taken = 1;
    if (byte == 0x1b) {
      taken = escape(line);
    } else if (byte == '\t') {
      out += ' ';
    } else if (byte >= 0x20 && byte != 0x7f) {
      taken = character(line);
      out += taken == 0 ? std::string("?") : std::string(line.substr(0, taken));
      taken = std::max<std::size_t>(taken, 1);
    }
    line.remove_prefix(taken);
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string tail_of(const std::string& path, std::uint64_t from) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(0, std::ios::end);
  const std::streamoff end = file.tellg();
  if (!file || end < 0 || static_cast<std::uint64_t>(end) <= from) return "";
  const std::uint64_t size = static_cast<std::uint64_t>(end);
  const std::uint64_t begin = std::max(from, size > kMostBytes ? size - kMostBytes : 0);
  std::string out(size - begin, '\0');
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(file.gcount()));
  if (begin > from) out.erase(0, std::min(out.find('\n'), out.size()));  // the first line is cut
  return out;
}

}  // namespace

std::vector<std::string> last_lines(const std::string& path, std::uint64_t from, std::size_t count) {
  const std::string text = tail_of(path, from);
  std::vector<std::string> lines;
  for (std::string_view rest = text; !rest.empty() && lines.size() < count;) {
    while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.remove_suffix(1);
    const std::size_t at = rest.find_last_of("\r\n");  // a progress bar ends its states with \r
    std::string line = cleaned(at == std::string_view::npos ? rest : rest.substr(at + 1));
    if (!line.empty()) lines.push_back(std::move(line));
    rest = at == std::string_view::npos ? std::string_view() : rest.substr(0, at);
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

std::string telling_line(const std::vector<std::string>& lines) {
  const auto says = [](const std::string& line, std::string_view words) {
    return lower(line).find(words) != std::string::npos;
  };
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (std::any_of(kRefusals.begin(), kRefusals.end(), [&](std::string_view words) { return says(*line, words); }))
      return *line;
  }
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (says(*line, "error")) return *line;
  }
  return lines.empty() ? "" : lines.back();
}

}  // namespace scoville::launch
