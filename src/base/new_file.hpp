#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace scoville {

/// A file made a piece at a time, under another name beside its place: the place holds nothing of it until publish().
/// What was not published is removed. Errors carry the path and the system's words.
class NewFile {
 public:
  static Result<NewFile> create(const std::string& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  Status write(std::string_view bytes);

  enum class Existing { kept, replaced };
  /// Everything is on the disk after it. With `kept`, a file that came to be at its place meanwhile is an error.
  Status publish(Existing existing);

  /// Where it lies until then.
  const std::string& beside() const { return beside_; }

 private:
  NewFile(std::string path, std::string beside, int fd) : path_(std::move(path)), beside_(std::move(beside)), fd_(fd) {}
  Error system_error() const;

  std::string path_, beside_;
  int fd_;
};

/// All of `content` at once, in a place where nothing is yet: what is there is somebody's work, and stays.
Status write_new_file(const std::string& path, std::string_view content);

}  // namespace scoville
