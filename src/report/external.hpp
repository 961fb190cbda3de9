#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "event/fingerprint.hpp"
#include "evidence/external_result.hpp"
#include "report/run_set.hpp"

namespace scoville::report {

/// A result of another tool as a store keeps it.
struct StoredEvidence {
  std::string id, tag;
  Nanos imported{};           ///< wall clock, since 1970
  event::Fingerprint system;  ///< of what was measured, where the user said; else empty
  evidence::ExternalResult result;
};

/// All of it for a terminal: each figure under our name and theirs, what it means, and whether it can be held beside
/// ours.
std::string external_table(const StoredEvidence& evidence);
/// The same as one object: scoville.external/1 with `id`, `tag`, `imported`, `system`.
json::object external_json(const StoredEvidence& evidence);

/// What a list shows of it.
std::string external_list_table(const std::vector<StoredEvidence>& all);
json::array external_list_json(const std::vector<StoredEvidence>& all);

/// Figures of our own, by our definitions, and by those of vLLM's client: medians over the runs.
struct OwnFigures {
  using Key = std::pair<evidence::Metric, std::string>;  ///< and the statistic, as in evidence::Figure
  std::string name, model;
  plan::LoadPlan load;
  std::size_t runs = 0;
  std::map<Key, double> ours, as_vllm;  ///< in the units of evidence::Figure
};
OwnFigures own_figures(const std::string& name, const std::vector<const RunOfSet*>& runs);

/// Ours, where there is one, and theirs side by side: no test, no interval, no verdict; where definitions differ, how
/// and in which direction.
std::string beside_table(const std::optional<OwnFigures>& ours, const std::vector<StoredEvidence>& theirs);
json::object beside_json(const std::optional<OwnFigures>& ours, const std::vector<StoredEvidence>& theirs);

}  // namespace scoville::report
