#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace scoville::environment {

struct FileDigest {
  std::string name;        ///< within its folder
  std::uint64_t size = 0;  ///< bytes
  std::string sha256;
};

/// Told after each MiB or so; false stops the hashing.
using HashProgress = std::function<bool(std::uint64_t bytes_done, std::uint64_t bytes_in_all)>;

/// Names of the weight files right in `folder` (*.safetensors, *.bin, *.pt, *.pth, *.gguf; not what a trainer leaves
/// beside them: optimizer, scheduler, training arguments), sorted by bytes.
std::vector<std::string> weight_file_names(const std::string& folder);

/// Hashes them one after the other, a MiB at a time. Links are followed. Errors name the file.
Result<std::vector<FileDigest>> hash_files(const std::string& folder, const std::vector<std::string>& names,
                                           const HashProgress& progress);

/// One hash over all: of one file its own; of several what `sha256sum FILES… | sha256sum` gives, the names sorted by
/// bytes (LC_ALL=C).
std::string digest_of(const std::vector<FileDigest>& files);

}  // namespace scoville::environment
