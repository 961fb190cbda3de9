#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "claim/claim.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::claim {

/// What to look out for until a claim can be relied on, and how it stands with this one.
struct Watch {
  std::string_view id;  ///< "white_paper", "engine_docs", "third_party", "community", "production"
  text::ClaimMsg title;
  std::string seen;  ///< where it is, as the file says; "": not seen yet
};

/// All five, in this order.
std::vector<Watch> watch_list(const Claim& claim, const std::vector<Measured>& measured);

}  // namespace scoville::claim
