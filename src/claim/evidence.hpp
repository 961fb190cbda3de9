#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "claim/claim.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::claim {

/// How far the evidence for a claim has come. Each level needs all of the one before it, but for L4: whoever measures
/// independently need not wait for the vendor's scripts.
enum class Level {
  L0,         ///< nobody answers for it
  community,  ///< a user says so: where to look in a test of one's own, no figure
  L1,         ///< a party with a name says so
  L2,         ///< the conditions are said
  L3,         ///< scripts, configuration or logs are public, or the engine's documents list the device
  L4,         ///< measured as claimed by somebody independent, by a public method
  L5,         ///< reproduced by us: gate ok, sound A/A, an interval
  L6,         ///< our production for 30 days: cost, failures, drift
};
std::string_view name_of(Level level);

struct Evidence {
  Level level = Level::L0;
  Level next = Level::L1;          ///< the one to come to; the same at the top
  std::vector<std::string> lacks;  ///< keys of the file that stand between the two
};

Evidence evidence_for(const Claim& claim, const std::vector<Measured>& measured);

/// What a decision may rest on it, and what it takes to come there.
text::ClaimMsg supports(Level level);
text::ClaimMsg needs(Level level);

inline constexpr double kProductionDays = 30;

}  // namespace scoville::claim
