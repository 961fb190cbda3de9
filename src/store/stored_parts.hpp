#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store/bundle_manifest.hpp"
#include "store/bundle_parts.hpp"
#include "store/database.hpp"

namespace scoville::store {

/// A stored run as the parts of a bundle. Nothing is held whole but one block, or one document, at a time.
class StoredParts {
 public:
  using Sink = std::function<Status(std::string_view bytes)>;

  static Result<StoredParts> of(const Database& database, const std::string& run);

  /// Those that have anything in them, in the order of a bundle.
  const std::vector<PartName>& names() const { return names_; }
  const BundledCounts& counts() const { return counts_; }
  Nanos heartbeat() const { return heartbeat_; }

  /// The bytes of a part: each time the same.
  Status write(const PartName& name, const Sink& sink) const;
  /// Its size and hash.
  Result<BundledPart> measure(const PartName& name) const;

 private:
  StoredParts(const Database& database, std::string run) : database_(&database), run_(std::move(run)) {}
  Status find_number();
  Status count();
  Status list_documents();
  Status list_copies();
  Result<std::string> document(const std::string& name) const;
  Status write_blocks(const Sink& sink) const;
  Status write_tails(const Sink& sink) const;
  Status write_answers(const Sink& sink) const;

  const Database* database_;
  std::string run_;
  std::int64_t number_ = 0;
  Nanos heartbeat_{};
  BundledCounts counts_;
  std::vector<PartName> names_;
  std::string fingerprint_, plan_;  ///< copies of what the manifest of the run says, for people
};

/// What a run's manifest holds under these names, as a part of its own; empty where there is nothing.
std::string plan_copy(const json::value& run_manifest);
std::string fingerprint_copy(const json::value& run_manifest);

}  // namespace scoville::store
