#include "cli/claim_result.hpp"

#include <algorithm>

#include "claim/tests_for.hpp"
#include "cli/arms.hpp"
#include "cli/noise_floors.hpp"
#include "cli/runs.hpp"
#include "decide/comparison.hpp"
#include "decide/noise.hpp"
#include "report/bench_report.hpp"
#include "store/bundle.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::cli {
namespace {

using text::ClaimMsg;
using text::say;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

Result<decide::Arm> read_side(store::RunStore* store, const std::string& name) {
  if (store::looks_like_bundle(name)) return read_arm_of_bundle(name);
  return read_arm(*store, name, /*keeps=*/true);
}

/// What the harness's A/A tests say of these two; nothing where they are not known.
struct Harness {
  std::map<std::string, double> floors;
  std::optional<bool> is_healthy;
};

Result<Harness> read_harness(const store::RunStore* store, const decide::Arm& base, const decide::Arm& candidate,
                             const std::string& metric) {
  const auto known = read_floors(store, base.setup.client);
  if (!known) return known.error();
  const KnownFloors floors = known_floors(*known, base.setup, candidate.setup);
  Harness out{floors.by_metric, std::nullopt};
  if (decide::judge_harness(*known, metric).is_broken)
    out.is_healthy = false;
  else if (floors.sides == 2)
    out.is_healthy = true;
  return out;
}

claim::Measured refused(const decide::Gate& gate, const std::string& names) {
  claim::Measured out;
  out.refused = gate.refused;
  out.source = names;
  return out;
}

Result<claim::Measured> of_comparison(const decide::Comparison& comparison, const std::string& metric,
                                      const std::string& names) {
  const decide::MetricComparison* const found = comparison.find(metric);
  if (!found || !found->ratio || !found->ratio->interval)
    return Error{ErrorCode::unsupported,
                 say(ClaimMsg::result_no_interval, names, metric,
                     found ? std::string(name_of(found->reason)) : std::string(name_of(decide::NoVerdict::missing)))};
  claim::Measured out;
  out.ratio = found->ratio->value;
  out.lo = found->ratio->interval->lower;
  out.hi = found->ratio->interval->upper;
  out.margin = found->margin;
  out.equivalent = found->verdict == stats::Verdict::equivalent;
  out.slower = *out.hi < 1;
  out.source = names;
  out.is_matched = true;
  out.is_verified = comparison.gate.result == decide::GateResult::ok;
  return out;
}

}  // namespace

Result<claim::Measured> measured_for(const claim::Claim& claim, const std::vector<std::string>& names,
                                     const StoreOptions& stored) {
  const std::optional<std::string> metric = claim::measured_as(claim);
  if (!metric || claim.is_absolute()) return usage(say(ClaimMsg::result_not_this_metric));
  std::optional<store::RunStore> store;
  if (Result<store::RunStore> opened = open_existing(stored))
    store.emplace(std::move(*opened));
  else if (!std::all_of(names.begin(), names.end(), store::looks_like_bundle))
    return opened.error();
  Result<decide::Arm> base = read_side(store ? &*store : nullptr, names[0]);
  if (!base) return base.error();
  Result<decide::Arm> candidate = read_side(store ? &*store : nullptr, names[1]);
  if (!candidate) return candidate.error();
  const std::string pair = names[1] + " / " + names[0];
  decide::Gate gate = decide::check(*base, *candidate);
  if (gate.result == decide::GateResult::refuse) return refused(gate, pair);
  const Result<Harness> harness = read_harness(store ? &*store : nullptr, *base, *candidate, *metric);
  if (!harness) return harness.error();
  decide::CompareOptions options;
  options.primary = {*metric};
  options.floors = harness->floors;
  const bool is_paired = base->runs.size() == candidate->runs.size() && decide::alternates(*base, *candidate);
  options.design = is_paired ? decide::Design::paired : decide::Design::unpaired;
  Result<claim::Measured> out =
      of_comparison(decide::compare(*base, *candidate, std::move(gate), options), *metric, pair);
  if (!out) return out;
  out->aa_healthy = harness->is_healthy;
  out->conditions = *metric + ", " + candidate->setup.dataset + ", " + report::describe_load(candidate->setup.load);
  return out;
}

}  // namespace scoville::cli
