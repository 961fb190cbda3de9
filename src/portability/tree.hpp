#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace scoville::portability {

struct File {
  std::string path;  ///< as it can be opened, and is shown
  std::string key;   ///< what it is called from one survey to the next: below the one folder that was named
};

/// Why a file of a kind that is read was not.
enum class Skip : std::uint8_t { too_large, binary, unreadable, no_notebook };
std::string_view name_of(Skip why);

struct Skipped {
  std::string path;
  Skip why = Skip::unreadable;
  std::string detail;  ///< the system's words; may be empty
};

struct Tree {
  std::vector<File> files;  ///< by path; none twice
  std::vector<Skipped> skipped;
  std::size_t links = 0;  ///< symbolic links: never followed
};

/// Larger files are said to be skipped: they are data.
inline constexpr std::uintmax_t kLargestFile = std::uintmax_t{4} << 20;

/// The files below `paths` that may hold something to count, by name and size. Folders of version control, builds,
/// caches and installed packages are left out, unless one is named itself. An error where a path cannot be read.
Result<Tree> walk(const std::vector<std::string>& paths);

}  // namespace scoville::portability
