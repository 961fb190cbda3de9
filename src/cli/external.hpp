#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/external.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

// External evidence in a store: findings of the kind "external", whose subject is what their files hold.

inline constexpr const char* kExternal = "external";

/// For adding to a store. `subject` is the same for the same bytes.
store::Finding finding_of(const report::StoredEvidence& evidence, const std::string& subject);

/// All of it, oldest first.
Result<std::vector<report::StoredEvidence>> read_evidence(const store::RunStore& store);

/// What a person means by an id, the beginning of one that fits no other, or a tag; oldest first. Empty: none.
Result<std::vector<report::StoredEvidence>> find_evidence(const store::RunStore& store, const std::string& name);

/// What names mean. A name of runs means those; only where there are none, evidence.
struct Named {
  std::vector<store::RunInfo> runs;
  std::vector<report::StoredEvidence> evidence;
};
/// Each once. A name that means nothing is the error that RunStore::find has.
Result<Named> find_named(const store::RunStore& store, const std::vector<std::string>& names);

/// Why nothing can be compared with what `name` means, where it means evidence; else `otherwise`.
Error not_compared(const store::RunStore& store, const std::string& name, Error otherwise);

/// An error where a tag is the name of runs.
Status check_external_tag(const store::RunStore& store, const std::string& tag);

}  // namespace scoville::cli
