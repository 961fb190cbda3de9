#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

namespace scoville::environment {

/// A folder for one test: made empty under the system's place for temporary files, gone with this object.
class MadeFolder {
 public:
  MadeFolder() {
    const std::filesystem::path base = std::filesystem::temp_directory_path();
    do {
      path_ = base / ("scoville-test-" + std::to_string(std::random_device{}()));
    } while (!std::filesystem::create_directory(path_));
  }
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;
  ~MadeFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path() const { return path_.string(); }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  /// Makes the folders above it too.
  void file(std::string_view name, std::string_view content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
  }
  void link(std::string_view name, std::string_view target) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::filesystem::create_symlink(target, path_ / name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace scoville::environment
