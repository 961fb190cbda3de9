#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/new_file.hpp"
#include "store/bundle_manifest.hpp"
#include "store/run_store.hpp"

namespace scoville::store {

// A bundle: runs in one file, to be analysed elsewhere (docs/formats/bundle.md). Errors name the file and the part.

/// Told now and then: so many bytes of so many are done. False: it is to end, and leaves nothing.
using BundleProgress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

/// What is known of a bundle once every byte of it was read and found in order.
struct BundleContents {
  std::string path;
  std::uint64_t packed = 0;  ///< bytes of the file
  std::string sha256;        ///< of the file
  std::string manifest_sha256;
  BundleManifest manifest;
};

struct ExportOptions {
  NewFile::Existing existing = NewFile::Existing::kept;
  BundleProgress progress;
};

/// Writes the runs of these ids. A run that is still running is an error. What was written is read back before it takes
/// its place: a file there is a bundle that can be read.
Result<BundleContents> export_bundle(const RunStore& store, std::span<const std::string> ids, const std::string& path,
                                     const ExportOptions& options = {});

/// Reads all of a bundle, decodes every block, and holds it against its manifest.
Result<BundleContents> verify_bundle(const std::string& path, const BundleLimits& limits = {},
                                     BundleProgress progress = {});

struct ImportReport {
  std::vector<std::string> imported;
  std::vector<std::string> present;  ///< they had been in the store before, the same in every byte that the bundle has
};

/// Takes in what was verified: all of it or nothing, in one transaction. A run whose id stands for other bytes in the
/// store is an error; nothing that is there is changed, tags neither. The file must be the one that was verified.
Result<ImportReport> import_bundle(RunStore& store, const BundleContents& verified, const BundleLimits& limits = {});

/// Verifies, then imports.
Result<ImportReport> import_bundle(RunStore& store, const std::string& path, const BundleLimits& limits = {});

/// Whether the file begins as a bundle does, whatever its name is.
bool looks_like_bundle(const std::string& path);

}  // namespace scoville::store
