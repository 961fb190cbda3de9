#pragma once

#include <string>

#include "environment/checklist.hpp"
#include "event/fingerprint.hpp"

namespace scoville::report {

/// A fingerprint for a terminal: the checklist of six, what changed since `base` (null: none; `base_name` is what it is
/// called), then every field that is known, by area, and at the end what was asked in vain.
std::string fingerprint_text(const event::Fingerprint& print, const event::Fingerprint* base,
                             const std::string& base_name);

/// The checklist of six alone, with nothing to compare with.
std::string checklist_text(const event::Fingerprint& print);

/// The fingerprint's JSON with the checklist beside its fields: [{"row", "state", "changed"}].
json::object fingerprint_json(const event::Fingerprint& print, const event::Fingerprint* base);

}  // namespace scoville::report
