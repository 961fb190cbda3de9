#include "decide/noise.hpp"

#include <algorithm>
#include <cmath>

#include "base/sha256.hpp"
#include "decide/metrics.hpp"
#include "plan/plan_json.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/noise_floor.hpp"

namespace scoville::decide {
namespace {

constexpr std::string_view kSchema = "scoville.noise_floor/1";
constexpr std::size_t kTests = 20;
constexpr double kAlpha = 0.05;

using Runs = std::vector<const ArmRun*>;

/// One metric of the pairs, where every run has it.
void add_metric(const Metric& metric, const Runs& base, const Runs& again, NoiseFloor& out) {
  std::vector<double> ours, theirs, ratios;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const auto a = metric.of(base[i]->statistics).value, b = metric.of(again[i]->statistics).value;
    if (!a || !b || *a <= 0 || *b <= 0) return;
    ours.push_back(*a);
    theirs.push_back(*b);
    ratios.push_back(*b / *a);
  }
  const std::string key(metric.key);
  if (const auto floor = stats::noise_floor(ratios)) out.floors[key] = *floor;
  if (const auto test = stats::rank_sum_test(ours, theirs)) out.p[key] = test->p;
  out.ratios[key] = std::move(ratios);
}

NoiseFloor measure(const Setup& setup, const Runs& base, const Runs& again) {
  NoiseFloor out;
  out.system = floor_key(setup);
  out.url = setup.url;
  out.pairs = base.size();
  for (const Metric& each : metrics()) add_metric(each, base, again, out);
  return out;
}

template <class T>
json::object numbers_json(const std::map<std::string, T>& numbers) {
  json::object out;
  for (const auto& [key, value] : numbers) out[key] = json::value_from(value);
  return out;
}

Error bad(const char* member) { return {ErrorCode::invalid_argument, std::string("noise floor: ") + member}; }

}  // namespace

std::string floor_key(const Setup& setup) {
  json::object key{{"load", plan::to_json(setup.load)}, {"dataset", setup.dataset_hash}, {"client", setup.client}};
  key["system"] = json::string(setup.system.comparable_hash());
  key["model"] = json::string(setup.shape.model);
  return sha256(compact(key));
}

NoiseFloor measure_noise(const Arm& arm) {
  Runs base, again;
  for (std::size_t i = 0; i + 1 < arm.runs.size(); i += 2) {
    base.push_back(&arm.runs[i]);
    again.push_back(&arm.runs[i + 1]);
  }
  return measure(arm.setup, base, again);
}

NoiseFloor measure_noise(const Arm& base, const Arm& again) {
  Runs ours, theirs;
  for (std::size_t i = 0; i < std::min(base.runs.size(), again.runs.size()); ++i) {
    ours.push_back(&base.runs[i]);
    theirs.push_back(&again.runs[i]);
  }
  return measure(base.setup, ours, theirs);
}

json::object to_json(const NoiseFloor& floor) {
  return {{"schema", kSchema},          {"system", floor.system},
          {"url", floor.url},           {"load", floor.load},
          {"pairs", floor.pairs},       {"floors", numbers_json(floor.floors)},
          {"p", numbers_json(floor.p)}, {"ratios", numbers_json(floor.ratios)}};
}

Result<NoiseFloor> noise_floor_from(const json::value& value) {
  const json::object* const object = value.if_object();
  if (!object) return bad("an object is expected");
  NoiseFloor out;
  try {
    if (object->at("schema").as_string() != kSchema) return bad("schema");
    out.system = object->at("system").as_string();
    out.url = object->at("url").as_string();
    out.load = object->at("load").as_string();
    out.pairs = object->at("pairs").to_number<std::size_t>();
    out.floors = json::value_to<std::map<std::string, double>>(object->at("floors"));
    out.p = json::value_to<std::map<std::string, double>>(object->at("p"));
    out.ratios = json::value_to<std::map<std::string, std::vector<double>>>(object->at("ratios"));
  } catch (const std::exception& fault) {
    return bad(fault.what());
  }
  return out;
}

HarnessHealth judge_harness(const std::vector<NoiseFloor>& newest_first, const std::string& metric) {
  HarnessHealth out;
  for (const NoiseFloor& each : newest_first) {
    const auto p = each.p.find(metric);
    if (p == each.p.end() || out.tests == kTests) continue;
    ++out.tests;
    out.differences += p->second < kAlpha ? 1 : 0;
  }
  out.chance = stats::chance_of_false_calls(out.differences, out.tests, kAlpha);
  out.is_broken = out.differences > 1 && out.chance && *out.chance < stats::kBrokenHarness;
  return out;
}

}  // namespace scoville::decide
