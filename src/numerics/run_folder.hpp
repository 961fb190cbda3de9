#pragma once

#include <memory>
#include <string>

#include "numerics/judge.hpp"
#include "numerics/safetensors.hpp"

namespace scoville::numerics {

/// A folder that a probe wrote: manifest.json and tensors.safetensors (docs/formats/baseline.md).
///
/// The tensor file is mapped, not read: baselines of large models are larger than memory.
class RunFolder {
 public:
  /// Errors carry the path. A tensor that the manifest names and the file lacks is one.
  static Result<RunFolder> open(const std::string& folder);

  const Manifest& manifest() const { return manifest_; }
  /// Lives no longer than this object.
  Side side() const;
  /// Whether every tensor has the hash that the manifest says. The error names the first that has not.
  Status verify() const;

 private:
  RunFolder(std::string folder, Manifest manifest, SafetensorsFile file);

  std::string folder_;
  Manifest manifest_;
  std::shared_ptr<const SafetensorsFile> file_;
};

}  // namespace scoville::numerics
