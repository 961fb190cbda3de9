#include "claim/evidence.hpp"

#include <algorithm>
#include <charconv>

#include "base/check.hpp"

namespace scoville::claim {
namespace {

using text::ClaimMsg;

bool is_sourced(const Claim& claim) {
  if (claim.party.empty() || claim.role == Role::anonymous) return false;
  return !claim.url.empty() || claim.role == Role::us;
}

/// What a footnote has to say before there is something to test.
std::vector<std::string> unsaid_conditions(const Claim& claim) {
  std::vector<std::string> out;
  const bool is_peak = claim.at("metric.kind").subject == "peak";  // of silicon, not of a model
  for (const char* key : {"workload.model", "workload.isl", "workload.osl"}) {
    if (!is_peak && !claim.says(key)) out.emplace_back(key);
  }
  for (const char* key : {"numerics.weights", "subject.count", "metric.name", "metric.unit"}) {
    if (!claim.says(key)) out.emplace_back(key);
  }
  return out;
}

bool has_artefact(const Claim& claim) {
  const auto says = [&](const char* key) { return claim.says(key); };
  return says("artefacts.scripts") || says("artefacts.config") || says("artefacts.logs") ||
         says("artefacts.engine_docs");
}

bool is_independent(const Measured& each) {
  return each.by == Role::independent && !each.method.empty() && each.is_matched && each.refused.empty();
}

bool is_reproduced(const Measured& each) {
  return each.by == Role::us && each.refused.empty() && each.has_interval() && each.is_matched && each.is_verified &&
         each.aa_healthy == true;
}

std::vector<std::string> unsaid_production(const Claim& claim) {
  std::vector<std::string> out;
  double days = 0;
  const std::string& words = claim.at("production.days").subject;
  std::from_chars(words.data(), words.data() + words.size(), days);
  if (days < kProductionDays) out.emplace_back("production.days");
  for (const char* key : {"production.cost", "production.failures", "production.drift"}) {
    if (!claim.says(key)) out.emplace_back(key);
  }
  return out;
}

Evidence of_results(const Claim& claim, const std::vector<Measured>& measured) {
  const auto any = [&](bool (*holds)(const Measured&)) { return std::any_of(measured.begin(), measured.end(), holds); };
  if (any(is_reproduced)) {
    std::vector<std::string> lacks = unsaid_production(claim);
    if (lacks.empty()) return {Level::L6, Level::L6, {}};
    return {Level::L5, Level::L6, std::move(lacks)};
  }
  if (any(is_independent) || (claim.role == Role::independent && has_artefact(claim)))
    return {Level::L4, Level::L5, {"results"}};
  return {};
}

}  // namespace

std::string_view name_of(Level level) {
  constexpr std::string_view kNames[] = {"L0", "community", "L1", "L2", "L3", "L4", "L5", "L6"};
  return kNames[static_cast<std::size_t>(level)];
}

Evidence evidence_for(const Claim& claim, const std::vector<Measured>& measured) {
  if (const Evidence found = of_results(claim, measured); found.level != Level::L0) return found;
  if (!is_sourced(claim)) return {Level::L0, Level::L1, {"who.party", "url"}};
  std::vector<std::string> unsaid = unsaid_conditions(claim);
  if (!unsaid.empty())
    return {claim.role == Role::community ? Level::community : Level::L1, Level::L2, std::move(unsaid)};
  if (!has_artefact(claim))
    return {claim.role == Role::community ? Level::community : Level::L2,
            Level::L3,
            {"artefacts.scripts", "artefacts.config", "artefacts.logs", "artefacts.engine_docs"}};
  return {Level::L3, Level::L4, {"results"}};
}

ClaimMsg supports(Level level) {
  switch (level) {
    case Level::L0:
      return ClaimMsg::supports_l0;
    case Level::community:
      return ClaimMsg::supports_community;
    case Level::L1:
      return ClaimMsg::supports_l1;
    case Level::L2:
      return ClaimMsg::supports_l2;
    case Level::L3:
      return ClaimMsg::supports_l3;
    case Level::L4:
      return ClaimMsg::supports_l4;
    case Level::L5:
      return ClaimMsg::supports_l5;
    case Level::L6:
      return ClaimMsg::supports_l6;
  }
  SCOVILLE_CHECK(false, "every level supports something, or nothing");
}

ClaimMsg needs(Level level) {
  switch (level) {
    case Level::L0:
      return ClaimMsg::needs_l0;
    case Level::community:
      return ClaimMsg::needs_community;
    case Level::L1:
      return ClaimMsg::needs_l1;
    case Level::L2:
      return ClaimMsg::needs_l2;
    case Level::L3:
      return ClaimMsg::needs_l3;
    case Level::L4:
      return ClaimMsg::needs_l4;
    case Level::L5:
      return ClaimMsg::needs_l5;
    case Level::L6:
      return ClaimMsg::needs_l6;
  }
  SCOVILLE_CHECK(false, "every level needs something");
}

}  // namespace scoville::claim
