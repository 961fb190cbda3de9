#include "claim/watch.hpp"

#include <algorithm>

namespace scoville::claim {
namespace {

using text::ClaimMsg;

/// Where the first result of such a measurer is written.
std::string first_of(const std::vector<Measured>& measured, Role by) {
  const auto found =
      std::find_if(measured.begin(), measured.end(), [&](const Measured& each) { return each.by == by; });
  if (found == measured.end()) return "";
  return found->method.empty() ? found->source : found->method;
}

std::string production(const Claim& claim) {
  const std::string& days = claim.at("production.days").subject;
  return days.empty() ? "" : days + " d";
}

std::string community(const Claim& claim, const std::vector<Measured>& measured) {
  const std::string& said = claim.at("artefacts.community").subject;
  return said.empty() ? first_of(measured, Role::community) : said;
}

}  // namespace

std::vector<Watch> watch_list(const Claim& claim, const std::vector<Measured>& measured) {
  return {{"white_paper", ClaimMsg::watch_white_paper, claim.at("artefacts.white_paper").subject},
          {"engine_docs", ClaimMsg::watch_engine_docs, claim.at("artefacts.engine_docs").subject},
          {"third_party", ClaimMsg::watch_third_party, first_of(measured, Role::independent)},
          {"community", ClaimMsg::watch_community, community(claim, measured)},
          {"production", ClaimMsg::watch_production, production(claim)}};
}

}  // namespace scoville::claim
