#pragma once

#include <optional>
#include <string>
#include <vector>

#include "claim/claim.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::claim {

/// A command line that would test a claim. <ANGLE BRACKETS> stand where the claim is silent, or where only the tester
/// knows: an address, a path. Such a place is quoted, so that a shell reads nothing into it.
struct TestCommand {
  text::ClaimMsg purpose;
  std::string line;
};

/// In the order in which one would run them. `file`: of the claim, for the last of them; "" where it has none.
std::vector<TestCommand> tests_for(const Claim& claim, const std::string& file);

/// The figure of a comparison that a claim's metric is measured by, as --primary names it; empty for power, money and
/// peaks, which no comparison of serving runs can measure.
std::optional<std::string> measured_as(const Claim& claim);

}  // namespace scoville::claim
