#include "base/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace scoville {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Error system_error(const std::string& path) {
  return {errno == ENOENT ? ErrorCode::not_found : ErrorCode::io, fmt::format("{}: {}", path, std::strerror(errno))};
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return system_error(path);
  std::string content;
  char block[1 << 16];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) content.append(block, n);
  if (std::ferror(file.get())) return system_error(path);
  return content;
}

Status write_file(const std::string& path, const std::string& content) {
  const std::string beside = fmt::format("{}.tmp{}", path, getpid());
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (!file) return system_error(path);
  const bool wrote = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = std::fclose(file) == 0;
  if (wrote && closed && std::rename(beside.c_str(), path.c_str()) == 0) return Done{};
  const Error error = system_error(path);
  std::remove(beside.c_str());
  return error;
}

}  // namespace scoville
