#pragma once

#include <optional>
#include <string>

#include "claim/claim.hpp"
#include "claim/recognise.hpp"

namespace scoville::claim {

/// What is known of a sentence before anybody was asked.
struct Draft {
  std::string sentence, url, party, date;
  std::optional<Role> role;
};

/// The claim's file with a comment beside each field, in the current language. What was recognised is filled in and
/// marked; all else is null. read_claim() reads it.
std::string draft_yaml(const Draft& draft, const Recognised& recognised);

/// The points that are missing as numbered questions to whoever made the claim, ready for a mail.
std::string questions(const Claim& claim);

}  // namespace scoville::claim
