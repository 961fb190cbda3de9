#include "environment/root.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <memory>
#include <utility>

namespace scoville::environment {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

event::FieldStatus status_of(int error) {
  if (error == ENOENT || error == ENOTDIR || error == ENODEV) return event::FieldStatus::absent;
  if (error == EACCES || error == EPERM) return event::FieldStatus::denied;
  return event::FieldStatus::error;
}

}  // namespace

Root::Root(std::string path) : path_(std::move(path)) {
  while (path_.ends_with('/')) path_.pop_back();
}

std::string Root::real(std::string_view path) const { return fmt::format("{}{}", path_, path); }

Content Root::read(std::string_view path) const {
  const int file = open(real(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return {status_of(errno), ""};
  std::string text;
  char block[8192];
  ssize_t n = 0;
  while (text.size() < kMostBytes && (n = ::read(file, block, sizeof block)) > 0) {
    text.append(block, static_cast<std::size_t>(n));
  }
  const int error = errno;
  close(file);
  if (n < 0) return {status_of(error), ""};
  while (!text.empty() && (std::isspace(static_cast<unsigned char>(text.back())) || text.back() == '\0')) {
    text.pop_back();
  }
  return {event::FieldStatus::ok, std::move(text)};
}

std::vector<std::string> Root::list(std::string_view path) const {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(real(path).c_str()), &closedir);
  if (!folder) return names;
  while (const dirent* each = readdir(folder.get())) {
    if (each->d_name[0] != '.') names.emplace_back(each->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool Root::has(std::string_view path) const {
  struct stat unused {};
  return stat(real(path).c_str(), &unused) == 0;
}

std::string Root::link_name(std::string_view path) const {
  char target[4096];
  const ssize_t n = readlink(real(path).c_str(), target, sizeof target);
  if (n <= 0) return "";
  const std::string_view whole(target, static_cast<std::size_t>(n));
  return std::string(whole.substr(whole.rfind('/') + 1));
}

std::vector<std::string> Root::match(std::string_view pattern) const {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return {std::string(pattern)};
  const std::size_t begin = pattern.rfind('/', star) + 1;
  const std::size_t end = std::min(pattern.find('/', star), pattern.size());
  const std::string_view before = pattern.substr(begin, star - begin), after = pattern.substr(star + 1, end - star - 1);
  std::vector<std::string> out;
  for (const std::string& name : list(pattern.substr(0, begin))) {
    if (name.size() < before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) continue;
    out.push_back(fmt::format("{}{}{}", pattern.substr(0, begin), name, pattern.substr(end)));
  }
  return out;
}

void add_file(event::Fingerprint& print, const Root& root, std::string key, const std::string& path,
              bool is_comparable) {
  const Content content = root.read(path);
  if (!content.ok()) return print.miss(std::move(key), content.status, path);
  print.add(std::move(key), json::string(first_line(content.text)), path, is_comparable);
}

void add_number_file(event::Fingerprint& print, const Root& root, std::string key, const std::string& path) {
  const Content content = root.read(path);
  if (!content.ok()) return print.miss(std::move(key), content.status, path);
  json::value number = number_in(content.text);
  if (number.is_null()) return print.miss(std::move(key), event::FieldStatus::error, path + ": no number");
  print.add(std::move(key), std::move(number), path);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view first_line(std::string_view text) { return trim(text.substr(0, text.find('\n'))); }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string key_part(std::string_view text) {
  std::string out = lower(text);
  for (char& c : out) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
  }
  return out;
}

json::value number_in(std::string_view text) {
  text = trim(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return nullptr;
  return number;
}

}  // namespace scoville::environment
