#pragma once

#include <string>

#include "base/result.hpp"

namespace scoville {

/// The whole file. Errors carry the path and the system's words.
Result<std::string> read_file(const std::string& path);

/// Writes beside the target and renames, so that a reader sees the old content or the new, never a half.
Status write_file(const std::string& path, const std::string& content);

}  // namespace scoville
