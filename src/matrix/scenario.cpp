#include "matrix/scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "matrix/bilingual.hpp"
#include "text/catalogue/matrix.hpp"

namespace scoville::matrix {

std::vector<std::pair<const char*, const char*>> embedded_scenarios();  // path of the file, text

namespace {

using config::Node;
using text::MatrixMsg;
using text::say;

Criterion read_criterion(const Node& node) {
  Criterion out;
  out.id = node.text("id");
  out.title = phrase_at(node, "title");
  out.weight = node.number("weight", config::kShare);
  out.measure = node.text("measure");
  out.unit = node.text_or("unit", "1");
  out.zero = node.number("zero", config::kAny);
  out.one = node.number("one", config::kAny);
  out.basis = node.text("basis");
  if (out.zero == out.one) node.fault("one", say(MatrixMsg::read_anchors_alike));
  return out;
}

SloDefault read_slo(const Node& node) {
  SloDefault out;
  out.name = node.text("name");
  for (const auto& [measure, limit] : node.maybe_map("limits").entries())
    out.limits[measure] = limit.as_number(config::kAboveZero);
  for (const auto& [measure, limit] : node.maybe_map("least").entries())
    out.least[measure] = limit.as_number(config::kAboveZero);
  if (out.limits.empty() && out.least.empty()) node.map("limits");  // notes that it is missing
  out.source = node.text("source");
  out.date = node.maybe_date("date").value_or("");
  return out;
}

}  // namespace

double Criterion::utility(double value) const { return std::clamp((value - zero) / (one - zero), 0.0, 1.0); }

const SloDefault* Scenario::find_slo(std::string_view variant) const {
  const auto found = std::find_if(slos.begin(), slos.end(), [&](const auto& each) { return each.name == variant; });
  return found == slos.end() ? nullptr : &*found;
}

const Criterion* Scenario::find_criterion(std::string_view id) const {
  const auto found = std::find_if(criteria.begin(), criteria.end(), [&](const auto& each) { return each.id == id; });
  return found == criteria.end() ? nullptr : &*found;
}

std::vector<double> Scenario::weights() const {
  std::vector<double> out;
  for (const Criterion& each : criteria) out.push_back(each.weight);
  return out;
}

Scenario read_scenario(const Node& node) {
  Scenario out;
  out.name = node.text("name");
  out.version = node.count("version", 1, 1'000'000);
  out.title = phrase_at(node, "title");
  out.bottleneck = maybe_phrase_at(node, "bottleneck");
  for (const Node& each : node.maybe_list("knock_outs"))
    out.knock_outs.push_back({each.text("id"), phrase_at(each, "requirement")});
  for (const Node& each : node.maybe_list("slo")) out.slos.push_back(read_slo(each));
  double sum = 0;
  for (const Node& each : node.list("criteria")) {
    out.criteria.push_back(read_criterion(each));
    sum += out.criteria.back().weight;
  }
  if (!out.criteria.empty() && std::abs(sum - 1) > 1e-9) node.fault("criteria", say(MatrixMsg::read_weight_sum, sum));
  return out;
}

const std::vector<Scenario>& built_in_scenarios() {
  static const std::vector<Scenario> scenarios = [] {
    std::vector<Scenario> out;
    for (const auto& [path, yaml] : embedded_scenarios()) {
      const Result<Node> root = Node::parse(yaml, path);
      SCOVILLE_CHECK(root.ok(), "every embedded scenario is YAML");
      Result<Scenario> read = root->finish(read_scenario(*root));
      SCOVILLE_CHECK(read.ok(), "every embedded scenario can be read");
      out.push_back(*std::move(read));
    }
    std::sort(out.begin(), out.end(), [](const Scenario& a, const Scenario& b) { return a.name < b.name; });
    return out;
  }();
  return scenarios;
}

Result<Scenario> find_scenario(const std::string& name, const std::string& folder) {
  if (name.ends_with(".yaml") || name.ends_with(".yml")) {
    const Result<Node> root = Node::load(name.starts_with('/') ? name : folder + name);
    if (!root) return root.error();
    return root->finish(read_scenario(*root));
  }
  std::vector<std::string> names;
  for (const Scenario& each : built_in_scenarios()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  return Error{ErrorCode::not_found, say(MatrixMsg::scenario_unknown, name, fmt::format("{}", fmt::join(names, ", ")))};
}

MadeArm make_arm(const Scenario& scenario, const ArmValues& values) {
  Arm arm;
  arm.name = values.name;
  arm.knocked_out = values.knocked_out;
  MadeArm out;
  for (const Criterion& each : scenario.criteria) {
    const auto stated = values.utilities.find(each.id);
    const auto measured = values.values.find(each.id);
    double middle = 0, low = 0, high = 0;
    if (stated != values.utilities.end()) {
      middle = low = high = stated->second;
    } else if (measured != values.values.end() && measured->second.value) {
      const Estimate& found = measured->second;
      middle = each.utility(*found.value);
      low = each.utility(found.low.value_or(*found.value));
      high = each.utility(found.high.value_or(*found.value));
      if (low > high) std::swap(low, high);  // less of it is better
    } else if (each.weight > 0) {
      out.missing.push_back(each.id);
    }
    arm.utilities.push_back(middle);
    arm.low.push_back(low);
    arm.high.push_back(high);
  }
  // Without a range of anything, nothing is known of the error.
  if (arm.low == arm.high) arm.low.clear(), arm.high.clear();
  if (out.missing.empty()) out.arm = std::move(arm);
  return out;
}

}  // namespace scoville::matrix
