#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "store/bundle_parts.hpp"
#include "store/run_store.hpp"

namespace scoville::store {

/// What a bundle holds of a run, counted.
struct BundledCounts {
  std::int64_t blocks = 0, requests = 0, events = 0;  ///< requests and events of the blocks
  std::int64_t tails = 0, answers = 0;
  bool operator==(const BundledCounts&) const = default;
};

struct BundledRun {
  RunInfo info;
  Nanos heartbeat{};  ///< last sign of life, wall clock
  BundledCounts counts;
};

struct BundledSet {
  std::string id, tag;
  Nanos made{};
};

struct BundledPart {
  std::string path;
  std::int64_t bytes = 0;
  std::string sha256;
  bool operator==(const BundledPart&) const = default;
};

/// The first part of a bundle (docs/formats/bundle.md). It says nothing of when or where it was made: the same runs
/// give the same file.
struct BundleManifest {
  std::string version, revision;  ///< of the program that made it
  std::vector<BundledSet> sets;
  std::vector<BundledRun> runs;
  std::vector<BundledPart> parts;

  std::string text() const;
  std::int64_t bytes() const;  ///< of all parts
  const BundledRun* run(std::string_view id) const;
};

struct BundleLimits {
  std::int64_t unpacked = std::int64_t{8} << 30;  ///< all parts together; and once more, what their blocks unpack to
  std::int64_t manifest = std::int64_t{16} << 20;
  std::size_t parts = 100'000;
  std::size_t document = std::size_t{64} << 20;  ///< a part that is read whole
};

/// Everything that the manifest says of itself fits together: known schema, runs that have ended, parts in their order
/// with names that path() gives, all within the limits.
Result<BundleManifest> bundle_manifest_from(std::string_view text, const BundleLimits& limits);

}  // namespace scoville::store
