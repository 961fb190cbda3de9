#pragma once

#include <string>

#include "base/json.hpp"
#include "claim/check.hpp"

namespace scoville::report {

/// docs/formats/claim.md.
json::object claim_json(const claim::Check& check);

/// The same for a terminal: the verdict first, then what is missing, what is not alike, the evidence, what may be said,
/// the commands that would test it, and what to watch for.
std::string claim_table(const claim::Check& check);

/// A verdict in words, in the current language.
std::string describe(claim::Verdict verdict);

}  // namespace scoville::report
