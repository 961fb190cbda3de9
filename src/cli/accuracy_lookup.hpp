#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "decide/arm.hpp"
#include "decide/gate.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// The name under which the store keeps checks of correctness.
inline constexpr const char* kCorrectness = "correctness";

/// What a check of correctness says of two systems.
struct KnownAccuracy {
  decide::Accuracy accuracy = decide::Accuracy::unknown;
  std::string id;                       ///< of the check; empty: none was found
  std::vector<std::string> unverified;  ///< facts of the systems that only the check, or only the runs, know
};

/// The newest check in `store` (may be null) that was made of these two and knows their precisions as the runs do.
/// Checks whose gate was not measured, or cannot tell, count as none.
Result<KnownAccuracy> known_accuracy(const store::RunStore* store, const decide::Setup& base,
                                     const decide::Setup& candidate);

/// The one that the user names: id or tag of a stored check (the newest of that tag), or its JSON in a file. An error
/// where it is neither, or was made of other systems.
Result<KnownAccuracy> named_accuracy(const store::RunStore* store, const std::string& name, const decide::Setup& base,
                                     const decide::Setup& candidate);

}  // namespace scoville::cli
