#include "base/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace scoville {
namespace {

/// Fails with EEXIST rather than replace a file. Some file systems (vfat, NFS) cannot do it in one step.
int rename_without_replacing(const char* from, const char* to) {
  const int done = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
  if (done == 0 || (errno != EINVAL && errno != ENOSYS)) return done;
  if (::access(to, F_OK) != 0) return std::rename(from, to);
  errno = EEXIST;
  return -1;
}

/// Makes the new name last, as far as the file system lets a folder be synced.
void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  static_cast<void>(::fsync(fd));
  ::close(fd);
}

}  // namespace

Result<NewFile> NewFile::create(const std::string& path) {
  const std::string beside = fmt::format("{}.tmp{}", path, getpid());
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return Error{errno == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                 fmt::format("{}: {}", path, std::strerror(errno))};
  return NewFile(path, beside, fd);
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)), beside_(std::exchange(other.beside_, "")), fd_(std::exchange(other.fd_, -1)) {}

NewFile::~NewFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!beside_.empty()) std::remove(beside_.c_str());
}

Error NewFile::system_error() const {
  const bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  return {is_full ? ErrorCode::resource : ErrorCode::io, fmt::format("{}: {}", path_, std::strerror(errno))};
}

Status NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd_, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return system_error();
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return Done{};
}

Status NewFile::publish(Existing existing) {
  if (::fsync(fd_) != 0) return system_error();
  if (::close(std::exchange(fd_, -1)) != 0) return system_error();
  const int done = existing == Existing::kept ? rename_without_replacing(beside_.c_str(), path_.c_str())
                                              : std::rename(beside_.c_str(), path_.c_str());
  if (done != 0) return system_error();
  beside_.clear();
  sync_folder_of(path_);
  return Done{};
}

Status write_new_file(const std::string& path, std::string_view content) {
  Result<NewFile> file = NewFile::create(path);
  if (!file) return file.error();
  if (Status written = file->write(content); !written) return written;
  return file->publish(NewFile::Existing::kept);
}

}  // namespace scoville
