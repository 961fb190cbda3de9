#include "claim/checklist.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/check.hpp"

namespace scoville::claim {
namespace {

using text::ClaimMsg;

const std::vector<Point>& table() {
  static const std::vector<Point> kPoints{
      {1, "metric", ClaimMsg::point_metric, ClaimMsg::ask_metric, 5, {"metric.name", "metric.unit", "direction"}},
      {2, "percentile", ClaimMsg::point_percentile, ClaimMsg::ask_percentile, 3, {"metric.percentile"}},
      {3, "size", ClaimMsg::point_size, ClaimMsg::ask_size, 5, {"size", "baseline"}},
      {4,
       "devices",
       ClaimMsg::point_devices,
       ClaimMsg::ask_devices,
       5,
       {"subject.device", "subject.count", "subject.form", "comparator.device|comparator.stack", "comparator.count",
        "comparator.form"}},
      {5, "generation", ClaimMsg::point_generation, ClaimMsg::ask_generation, 2, {"comparator.generation"}},
      {6, "best_config", ClaimMsg::point_best_config, ClaimMsg::ask_best_config, 4, {"comparator.best_config"}},
      {7, "model", ClaimMsg::point_model, ClaimMsg::ask_model, 5, {"workload.model", "workload.revision"}},
      {8, "lengths", ClaimMsg::point_lengths, ClaimMsg::ask_lengths, 4, {"workload.isl", "workload.osl"}},
      {9, "load", ClaimMsg::point_load, ClaimMsg::ask_load, 4, {"workload.load"}},
      {10, "slo", ClaimMsg::point_slo, ClaimMsg::ask_slo, 4, {"workload.slo|workload.interactivity"}},
      {11,
       "precision",
       ClaimMsg::point_precision,
       ClaimMsg::ask_precision,
       5,
       {"numerics.weights", "numerics.activations", "numerics.kv", "numerics.sparsity"}},
      {12, "accuracy", ClaimMsg::point_accuracy, ClaimMsg::ask_accuracy, 4, {"numerics.accuracy"}},
      {13,
       "engine",
       ClaimMsg::point_engine,
       ClaimMsg::ask_engine,
       3,
       {"software.engine", "software.version", "software.spec_decode", "workload.prefix_cache"}},
      {14, "parallelism", ClaimMsg::point_parallelism, ClaimMsg::ask_parallelism, 2, {"software.parallelism"}},
      {15, "power", ClaimMsg::point_power, ClaimMsg::ask_power, 2, {"metric.boundary", "subject.power_w"}},
      {16, "price", ClaimMsg::point_price, ClaimMsg::ask_price, 2, {"price.basis", "price.date"}},
      {17, "kind", ClaimMsg::point_kind, ClaimMsg::ask_kind, 4, {"metric.kind"}},
      {18, "repeats", ClaimMsg::point_repeats, ClaimMsg::ask_repeats, 3, {"stats.runs", "stats.spread"}},
      {19, "who", ClaimMsg::point_who, ClaimMsg::ask_who, 3, {"party", "date", "subject.available"}},
      {20,
       "artefacts",
       ClaimMsg::point_artefacts,
       ClaimMsg::ask_artefacts,
       3,
       {"artefacts.scripts", "artefacts.logs", "artefacts.config"}},
  };
  return kPoints;
}

constexpr int kMostWeight = 5;

std::string metric(const Claim& claim) { return claim.at("metric.name").subject; }

/// Metrics whose name says which way is better.
bool has_direction(const Claim& claim) { return claim.says("metric.better") || claim.ratio.has_value(); }

bool answers(const Claim& claim, std::string_view need) {
  if (need == "direction") return has_direction(claim);
  if (need == "size") return claim.ratio || claim.value;
  if (need == "baseline") return claim.is_absolute() || claim.says("metric.baseline");
  if (need == "party") return !claim.party.empty();
  if (need == "date") return !claim.date.empty();
  const std::size_t bar = need.find('|');
  if (bar == std::string_view::npos) return claim.says(need);
  return claim.says(need.substr(0, bar)) || claim.says(need.substr(bar + 1));
}

/// The key that a reader would fill in.
std::string key_of(std::string_view need) {
  if (need == "direction") return "metric.better";
  if (need == "size") return "metric.ratio";
  if (need == "baseline") return "metric.baseline";
  if (need == "party") return "who.party";
  return std::string(need.substr(0, need.find('|')));
}

bool is_of_comparator(std::string_view need) { return need.starts_with("comparator."); }

bool holds_mismatch(const Point& point, const std::vector<Mismatch>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Mismatch& each) {
    return std::find(point.needs.begin(), point.needs.end(), each.key) != point.needs.end();
  });
}

PointState state_of(const Point& point, const Claim& claim, const std::vector<Mismatch>& differing) {
  PointState out{&point, PointVerdict::present, point.weight, {}};
  if ((point.id == "power" && is_about_power(claim)) || (point.id == "price" && is_about_price(claim)))
    out.weight = kMostWeight;
  bool is_asked = false;
  for (const std::string_view need : point.needs) {
    if (claim.is_absolute() && is_of_comparator(need)) continue;
    is_asked = true;
    if (!answers(claim, need)) out.lacks.push_back(key_of(need));
  }
  if (!is_asked)
    out.verdict = PointVerdict::not_asked;
  else if (holds_mismatch(point, differing))
    out.verdict = PointVerdict::mismatched;
  else if (!out.lacks.empty())
    out.verdict = PointVerdict::missing;
  return out;
}

}  // namespace

std::span<const Point> points() { return table(); }

std::string_view name_of(PointVerdict verdict) {
  switch (verdict) {
    case PointVerdict::present:
      return "present";
    case PointVerdict::missing:
      return "missing";
    case PointVerdict::mismatched:
      return "mismatched";
    case PointVerdict::not_asked:
      return "not_asked";
  }
  SCOVILLE_CHECK(false, "every verdict has a name");
}

std::vector<PointState> checklist(const Claim& claim) {
  const std::vector<Mismatch> differing = mismatches(claim);
  std::vector<PointState> out;
  for (const Point& each : table()) out.push_back(state_of(each, claim, differing));
  return out;
}

std::vector<const PointState*> missing(const std::vector<PointState>& states) {
  std::vector<const PointState*> out;
  for (const PointState& each : states) {
    if (each.verdict == PointVerdict::missing) out.push_back(&each);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->weight > b->weight; });
  return out;
}

std::vector<Mismatch> mismatches(const Claim& claim) {
  std::vector<Mismatch> out;
  const bool is_accurate = claim.says("numerics.accuracy");
  for (const Field& field : fields()) {
    const Said& said = claim.at(field.key);
    if (field.field_class == FieldClass::one_sided || !said.differs()) continue;
    const bool is_blocking =
        field.field_class == FieldClass::must_equal || (field.field_class == FieldClass::precision && !is_accurate);
    out.push_back({std::string(field.key), said.subject, said.comparator, field.field_class, is_blocking});
  }
  return out;
}

bool is_about_power(const Claim& claim) {
  const std::string name = metric(claim);
  return name.find("watt") != std::string::npos || name.find("power") != std::string::npos ||
         name.find("energy") != std::string::npos || name.find("joule") != std::string::npos;
}

bool is_about_price(const Claim& claim) {
  const std::string name = metric(claim);
  return name.find("price") != std::string::npos || name.find("cost") != std::string::npos || name == "roi" ||
         name.find("dollar") != std::string::npos;
}

std::vector<std::string> undefined(const Claim& claim) {
  std::vector<std::string> out;
  const auto need = [&](bool is_there, std::string key) {
    if (!is_there) out.push_back(std::move(key));
  };
  const Said& kind = claim.at("metric.kind");
  need(claim.says("metric.name"), "metric.name");
  if (is_about_power(claim)) need(claim.says("metric.boundary"), "metric.boundary");
  if (is_about_price(claim)) need(claim.says("price.basis"), "price.basis");
  if (metric(claim) == "performance" || metric(claim) == "perf_per_watt")
    need(claim.says("metric.unit"), "metric.unit");
  need(!claim.subject().empty(), "subject.device");
  need(claim.is_absolute() || !claim.comparator().empty(), "comparator.device");
  if (kind.subject != "peak") need(claim.says("workload.model"), "workload.model");
  return out;
}

}  // namespace scoville::claim
