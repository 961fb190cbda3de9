#include "matrix/read.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "matrix/bilingual.hpp"
#include "text/catalogue/config.hpp"
#include "text/catalogue/matrix.hpp"
#include "text/nearest.hpp"

namespace scoville::matrix {
namespace {

using config::Node;
using text::ConfigMsg;
using text::MatrixMsg;
using text::say;

constexpr std::size_t kMany = 1'000'000'000;

/// Notes that `word` is not among `known`, with the nearest that is.
void unknown_word(const Node& node, const std::string& word, const std::vector<std::string>& known) {
  const std::string near = text::nearest(word, known);
  node.fault(near.empty() ? say(MatrixMsg::read_unknown, word, fmt::format("{}", fmt::join(known, ", ")))
                          : say(MatrixMsg::read_unknown_near, word, near));
}

Target read_target(const Node& node, const MeasureTemplate& measure) {
  Target out;
  out.unit = measure.unit;
  if (node.is_map()) {
    out.least = node.maybe_number("least", config::kAny);
    out.most = node.maybe_number("most", config::kAny);
    out.source = node.text_or("source", "");
    out.date = node.maybe_date("date").value_or("");
    const std::string unit = node.text_or("unit", measure.unit);
    if (unit != measure.unit) node.fault("unit", say(MatrixMsg::read_unit, unit, measure.unit));
    if (!out.is_set() || (out.least && out.most && *out.least > *out.most)) node.fault(say(MatrixMsg::read_target));
    return out;
  }
  if (node.as_text() == "none") return out;
  (measure.is_higher_better ? out.least : out.most) = node.as_number(config::kAny);
  return out;
}

Estimate read_estimate(const Node& node) {
  Estimate out;
  out.value = node.maybe_number("value", config::kAny);
  out.low = node.maybe_number("low", config::kAny);
  out.high = node.maybe_number("high", config::kAny);
  out.n = node.maybe_count("n", 1, kMany).value_or(0);
  out.samples = node.maybe_count("samples", 1, kMany);
  out.unit = node.text_or("unit", "");
  out.source = node.text_or("source", "");
  out.note = node.text_or("note", "");
  out.is_exact = node.flag_or("exact", false);
  const double middle = out.value.value_or(out.low.value_or(out.high.value_or(0)));
  if (out.low.value_or(middle) > middle || out.high.value_or(middle) < middle) node.fault(say(ConfigMsg::low_high));
  return out;
}

std::map<std::string, std::vector<Measure>> read_measured(const Node& map, const Template& form) {
  std::map<std::string, std::vector<Measure>> out;
  for (const auto& [id, value] : map.entries()) {
    const RowTemplate* const row = form.find_row(id);
    if (!row) unknown_word(value, id, form.row_ids());
    std::vector<std::string> keys;
    if (row) {
      for (const MeasureTemplate& each : row->measures) keys.push_back(each.key);
    }
    for (const Node& each : map.list(id)) {
      Measure measure{each.text("measure"), each.text_or("workload", ""), read_estimate(each), {}};
      const MeasureTemplate* const known = form.find_measure(measure.key);
      const bool is_of_row = std::find(keys.begin(), keys.end(), measure.key) != keys.end();
      if (row && !is_of_row && !measure.key.empty()) unknown_word(each.maybe("measure"), measure.key, keys);
      if (known && !measure.estimate.unit.empty() && measure.estimate.unit != known->unit)
        each.fault("unit", say(MatrixMsg::read_unit, measure.estimate.unit, known->unit));
      if (const Node target = each.maybe("target"); known && target.exists())
        measure.target = read_target(target, *known);
      out[id].push_back(std::move(measure));
    }
  }
  return out;
}

/// By name, by path, or written out.
Template form_of(const Node& root, const std::string& folder) {
  const Node at = root.maybe("template");
  if (at.is_map()) return read_template(at);
  Result<Template> found = find_template(at.exists() ? at.as_text() : "default", folder);
  if (found) return *std::move(found);
  at.fault(found.error().message);
  return built_in_templates().front();
}

void read_scenario_of(const Node& root, const std::string& folder, Study& out) {
  const std::optional<std::string> name = root.maybe_text("scenario");
  const std::optional<std::string> variant = root.maybe_text("slo");
  if (!name) {
    if (variant) root.fault("slo", say(MatrixMsg::read_slo_needs_scenario));
    return;
  }
  Result<Scenario> found = find_scenario(*name, folder);
  if (!found) {
    root.fault("scenario", found.error().message);
    return;
  }
  out.scenario = *std::move(found);
  out.inputs.scenario = out.scenario->name;
  if (!variant) return;
  out.slo = *variant;
  const SloDefault* const slo = out.scenario->find_slo(*variant);
  std::vector<std::string> names;
  for (const SloDefault& each : out.scenario->slos) names.push_back(each.name);
  if (!slo)
    unknown_word(root.maybe("slo"), *variant, names);
  else
    out.inputs.targets = targets_of(*slo, out.inputs.form);
}

std::vector<std::string> criteria_of(const Scenario& scenario) {
  std::vector<std::string> out;
  for (const Criterion& each : scenario.criteria) out.push_back(each.id);
  return out;
}

ArmValues read_arm(const std::string& name, const Node& node, const Scenario& scenario) {
  ArmValues out;
  out.name = name;
  out.knocked_out = node.text_or("knocked_out", "");
  for (const auto& [id, value] : node.maybe_map("utilities").entries()) {
    if (!scenario.find_criterion(id)) unknown_word(value, id, criteria_of(scenario));
    out.utilities[id] = value.as_number(config::kShare);
  }
  for (const auto& [id, value] : node.maybe_map("values").entries()) {
    if (!scenario.find_criterion(id)) unknown_word(value, id, criteria_of(scenario));
    if (value.is_map()) {
      out.values[id] = read_estimate(value);
      value.number("value", config::kAny);
    } else {
      out.values[id].value = value.as_number(config::kAny);
    }
  }
  return out;
}

/// In the order of the scenario's criteria; those not named weigh nothing. False where they cannot be told.
bool read_weights(const Node& ranking, const Scenario& scenario, Study& out) {
  const auto place = [&](const std::string& id) -> std::size_t {
    return static_cast<std::size_t>(scenario.find_criterion(id) - scenario.criteria.data());
  };
  const Node given = ranking.maybe_map("weights"), pairs = ranking.maybe_map("pairs");
  std::vector<double> weights(scenario.criteria.size(), 0);
  for (const auto& [id, value] : given.entries()) {
    if (!scenario.find_criterion(id))
      unknown_word(value, id, criteria_of(scenario));
    else
      weights[place(id)] = value.as_number(config::kAtLeastZero);
  }
  if (pairs.exists()) {
    const std::vector<std::string> of = pairs.maybe_texts("of");
    std::vector<std::vector<double>> judgements;
    for (const Node& row : pairs.list("judgements")) {
      judgements.emplace_back();
      for (const Node& each : row.items()) judgements.back().push_back(each.as_number(config::kAboveZero));
    }
    out.ahp = ahp_weights(judgements);
    if (!out.ahp || of.size() != judgements.size()) {
      pairs.fault("judgements", say(MatrixMsg::read_pairs));
      return false;
    }
    if (!out.ahp->is_consistent())
      pairs.fault("judgements", say(MatrixMsg::read_pairs_contradict, out.ahp->consistency));
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (!scenario.find_criterion(of[i]))
        unknown_word(pairs.maybe("of"), of[i], criteria_of(scenario));
      else
        weights[place(of[i])] = out.ahp->weights[i];
    }
  }
  if (!given.exists() && !pairs.exists()) return true;
  const bool has_weight = std::any_of(weights.begin(), weights.end(), [](double each) { return each > 0; });
  if (!has_weight || (given.exists() && pairs.exists())) ranking.fault(say(MatrixMsg::read_weights));
  out.weights = weights;
  return true;
}

void read_ranking(const Node& root, Study& out) {
  const Node ranking = root.maybe_map("ranking");
  if (!ranking.exists()) return;
  if (!out.scenario) {
    ranking.fault(say(MatrixMsg::read_ranking_needs_scenario));
    return;
  }
  const bool has_weights = read_weights(ranking, *out.scenario, out);
  if (out.weights) {  // a criterion that weighs nothing now needs no value, and one that weighs now does
    for (std::size_t i = 0; i < out.weights->size(); ++i) out.scenario->criteria[i].weight = (*out.weights)[i];
  }
  for (const auto& [name, node] : ranking.map("arms").entries()) {
    out.arms.push_back(read_arm(name, node, *out.scenario));
    if (!has_weights) continue;
    for (const std::string& missing : make_arm(*out.scenario, out.arms.back()).missing)
      node.fault(say(MatrixMsg::read_arm_lacks, missing));
  }
}

void read_mix(const Node& root, Study& out) {
  const Node node = root.maybe_map("mix");
  if (!node.exists()) return;
  Mix mix;
  mix.unit = node.text("unit");
  mix.is_lower_better = node.choice("better", {"lower", "higher"}) == 0;
  double sum = 0;
  for (const auto& [workload, share] : node.map("shares").entries()) {
    mix.workloads.push_back(workload);
    mix.shares.push_back(share.as_number(config::kAtLeastZero));
    sum += mix.shares.back();
  }
  if (mix.workloads.size() < 2 || !(sum > 0)) {
    node.fault("shares", say(MatrixMsg::read_mix_shares));
    return;
  }
  for (double& each : mix.shares) each /= sum;
  for (const auto& [name, values] : node.map("values").entries()) {
    MixArm arm{name, {}};
    for (const std::string& workload : mix.workloads) arm.values.push_back(values.number(workload, config::kAny));
    mix.arms.push_back(std::move(arm));
  }
  if (mix.arms.size() < 2) node.fault("values", say(MatrixMsg::read_mix_arms));
  out.mix = std::move(mix);
}

}  // namespace

std::map<std::string, Target> read_targets(const Node& map, const Template& form) {
  std::map<std::string, Target> out;
  for (const auto& [key, node] : map.entries()) {
    if (const MeasureTemplate* const measure = form.find_measure(key))
      out[key] = read_target(node, *measure);
    else
      unknown_word(node, key, form.measure_keys());
  }
  return out;
}

std::vector<std::string> read_required(const Node& parent, const Template& form) {
  std::vector<std::string> out;
  for (const Node& each : parent.list("required")) {
    out.push_back(each.as_text());
    if (!form.find_row(out.back())) unknown_word(each, out.back(), form.row_ids());
  }
  return out;
}

std::vector<Pilot> read_pilots(const Node& parent) {
  std::vector<Pilot> out;
  for (const Node& each : parent.maybe_list("pilots")) {
    const std::size_t verdict = each.maybe_choice("verdict", {"pass", "fail", "inconclusive", "untested"}).value_or(3);
    out.push_back(
        {each.text("name"), static_cast<Verdict>(verdict), each.text_or("source", ""), each.text_or("note", "")});
  }
  return out;
}

std::map<std::string, Target> targets_of(const SloDefault& slo, const Template& form) {
  std::map<std::string, Target> out;
  const auto add = [&](const std::map<std::string, double>& limits, std::optional<double> Target::*end) {
    for (const auto& [key, limit] : limits) {
      const MeasureTemplate* const measure = form.find_measure(key);
      if (!measure) continue;
      Target& target = out[key];
      target.*end = limit;
      target.unit = measure->unit;
      target.source = slo.source;
      target.date = slo.date;
      target.is_default = true;
    }
  };
  add(slo.limits, &Target::most);
  add(slo.least, &Target::least);
  return out;
}

void add_knock_outs_of(const Scenario& scenario, std::vector<KnockOut>& known) {
  for (const ScenarioKnockOut& each : scenario.knock_outs) {
    const auto is_it = [&](const KnockOut& other) { return other.id == each.id; };
    const auto found = std::find_if(known.begin(), known.end(), is_it);
    if (found == known.end()) {
      KnockOut& added = known.emplace_back();
      added.id = each.id;
      added.requirement = each.requirement;
    }
  }
}

Result<Study> read_study(const Node& root, const std::string& folder) {
  Study out;
  out.inputs.form = form_of(root, folder);
  out.inputs.candidate = root.text("candidate");
  out.inputs.baseline = root.text_or("baseline", "");
  read_scenario_of(root, folder, out);
  out.inputs.required = read_required(root, out.inputs.form);
  for (auto& [key, target] : read_targets(root.maybe_map("targets"), out.inputs.form))
    out.inputs.targets[key] = std::move(target);
  out.inputs.measured = read_measured(root.maybe_map("measured"), out.inputs.form);
  Requirements known;
  if (out.scenario) {
    for (const ScenarioKnockOut& each : out.scenario->knock_outs) known[each.id] = each.requirement;
  }
  out.inputs.knock_outs = read_knock_outs(root.maybe_map("knock_outs"), known);
  if (out.scenario) add_knock_outs_of(*out.scenario, out.inputs.knock_outs);
  out.inputs.pilots = read_pilots(root);
  read_ranking(root, out);
  read_mix(root, out);
  return root.finish(std::move(out));
}

}  // namespace scoville::matrix
