#include "evaluate/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "matrix/read.hpp"
#include "text/catalogue/config.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::evaluate {
namespace {

using config::Node;
using text::EvaluateMsg;
using text::say;

constexpr std::size_t kMost = 1'000'000;

std::string one_of(const std::vector<std::string>& names) {
  return say(text::ConfigMsg::one_of, fmt::to_string(fmt::join(names, ", ")));
}

/// A name becomes part of tags and of file names.
std::string read_name(const Node& node, std::set<std::string>& taken) {
  const std::string name = node.text("name");
  const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '_' || c == '-' || c >= 0x80;
  });
  if (!name.empty() && (!is_plain || !taken.insert(name).second)) node.fault("name", say(EvaluateMsg::fault_name));
  return name;
}

std::vector<std::pair<std::string, std::string>> read_pairs(const Node& node) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, value] : node.entries()) out.emplace_back(name, value.as_text());
  return out;
}

LaunchWords read_launch(const Node& node) {
  LaunchWords out;
  out.command = node.text_or("launch", "");
  out.preset = node.text_or("launch_preset", "");
  out.ready = node.text_or("ready", "");
  out.settings = read_pairs(node.maybe_map("launch_set"));
  out.variables = read_pairs(node.maybe_map("launch_env"));
  out.arguments = node.maybe_texts("launch_args");
  return out;
}

plan::Dialect read_dialect(const Node& node) {
  std::vector<std::string> names;
  for (const std::string_view each : plan::dialect_names()) names.emplace_back(each);
  return static_cast<plan::Dialect>(node.maybe_choice("dialect", names).value_or(0));
}

System read_system(const Node& node, std::set<std::string>& names) {
  System out;
  out.name = read_name(node, names);
  out.endpoint = node.text_or("endpoint", "");
  out.model = node.text_or("model", "");
  out.fingerprint = node.text_or("fingerprint", "");
  out.model_path = node.text_or("model_path", "");
  out.api_key_file = node.text_or("api_key_file", "");
  out.dialect = read_dialect(node);
  out.devices = node.maybe_count("devices", 1, kMost).value_or(0);
  out.engine_args = read_pairs(node.maybe_map("engine_args"));
  out.launch = read_launch(node);
  out.is_alone = node.flag_or("alone", false);
  out.knock_outs = matrix::read_knock_outs(node.maybe_map("knock_outs"));
  for (const auto& [workload, value] : node.maybe_map("runs").entries()) out.runs[workload] = value.as_text();
  if (out.endpoint.empty() && !out.launch.any() && out.runs.empty()) node.fault(say(EvaluateMsg::fault_system_how));
  if (!out.endpoint.empty() && out.launch.any()) node.fault("endpoint", say(EvaluateMsg::fault_both_ways));
  return out;
}

/// What the scenario would ask for, by the name of its variant.
std::vector<plan::Slo> slos_of_scenario(const Node& node, const std::string& scenario, const std::string& variant) {
  const Result<matrix::Scenario> found = matrix::find_scenario(scenario, matrix::folder_of(node.where()));
  const matrix::SloDefault* const slo = found ? found->find_slo(variant) : nullptr;
  if (!slo) {
    std::string names;
    if (found)
      for (const matrix::SloDefault& each : found->slos) names += (names.empty() ? "" : ", ") + each.name;
    node.fault("slo_of", found ? say(EvaluateMsg::fault_no_variant, names) : found.error().message);
    return {};
  }
  std::vector<plan::Slo> out;
  for (const auto& [measure, limit] : slo->limits) {
    std::string written = fmt::format("{}:{}", measure, limit);  // "ttft_p99" → "ttft:p99:2000"
    std::replace(written.begin(), written.end(), '_', ':');
    const Result<std::vector<plan::Slo>> one = plan::parse_slos(written);
    if (one && one->size() == 1)
      out.push_back(one->front());
    else
      node.fault("slo_of", say(EvaluateMsg::fault_no_slo, variant, measure));
  }
  return out;
}

std::vector<plan::Slo> read_slos(const Node& node, const std::string& scenario) {
  const std::optional<std::string> variant = node.maybe_text("slo_of");
  if (variant && !node.has("slo")) return slos_of_scenario(node, scenario, *variant);
  std::string all;
  for (const std::string& each : node.maybe_texts("slo")) all += (all.empty() ? "" : ",") + each;
  if (all.empty()) return {};
  Result<std::vector<plan::Slo>> slos = plan::parse_slos(all);
  if (!slos) {
    node.fault("slo", say(EvaluateMsg::fault_slo, slos.error().message));
    return {};
  }
  for (const plan::Slo& each : *slos) {
    if ((each.share != 0.95 && each.share != 0.99) || each.metric == plan::SloMetric::ttfa)
      node.fault("slo", say(EvaluateMsg::fault_slo, each.text));
  }
  return *slos;
}

Workload read_workload(const Node& node, std::set<std::string>& names) {
  Workload out;
  out.name = read_name(node, names);
  out.model = node.text_or("model", "");
  out.scenario = node.text_or("scenario", "");
  out.is_pilot = node.flag_or("pilot", false);
  out.input = node.text_or("input", "");
  out.output = node.text_or("output", "");
  out.dataset = node.text_or("dataset", "");
  out.requests = node.maybe_count("requests", 1, kMost);
  out.concurrency = node.maybe_count("concurrency", 1, kMost);
  out.rate = node.maybe_number("rate", config::kAboveZero);
  out.duration = node.maybe_duration("duration");
  out.ignores_eos = node.flag_or("ignore_eos", false);
  out.slos = read_slos(node, out.scenario);
  out.flags = node.maybe_texts("flags");
  if (!out.concurrency && !out.rate && out.dataset.empty()) node.fault(say(EvaluateMsg::fault_no_load));
  return out;
}

Correctness read_correctness(const Node& node) {
  Correctness out;
  out.tasks = node.text_or("tasks", "");
  out.prompts = node.text_or("prompts", "");
  out.num_prompts = node.maybe_count("num_prompts", 0, kMost);
  out.max_tokens = node.maybe_count("max_tokens", 1, kMost);
  out.concurrency = node.maybe_count("concurrency", 1, 1000);
  out.accuracy_target = node.maybe_number("accuracy_target", {0.01, 1});
  out.agreement_target = node.maybe_number("agreement_target", {0.01, 1});
  return out;
}

BroughtResult read_result(const Node& node) {
  BroughtResult out;
  out.system = node.text("system");
  out.row = node.text("row");
  out.measure = node.text_or("measure", "");
  out.value = node.number("value", config::kAny);
  out.low = node.maybe_number("low", {-std::numeric_limits<double>::infinity(), out.value});
  out.high = node.maybe_number("high", {out.value});
  out.n = node.maybe_count("n", 1, 1'000'000'000).value_or(0);
  out.unit = node.text_or("unit", "");
  out.is_exact = node.flag_or("exact", false);
  out.source = node.text("source");
  out.date = node.date("date");
  return out;
}

ClaimFile read_claim_file(const Node& node) {
  if (!node.is_map()) return {node.as_text(), "", ""};
  return {node.text("file"), node.text("candidate"), node.text("workload")};
}

std::vector<Stage> read_stages(const Node& root) {
  std::set<std::size_t> chosen;
  const std::vector<Node> named = root.maybe_list("stages");
  for (const Node& each : named) {
    const auto& names = names_of_stages();
    const auto found = std::find(names.begin(), names.end(), each.as_text());
    if (found == names.end()) {
      each.fault(one_of(names));
      continue;
    }
    chosen.insert(static_cast<std::size_t>(found - names.begin()));
  }
  std::vector<Stage> out;
  for (std::size_t i = 0; i < names_of_stages().size(); ++i) {
    if (named.empty() || chosen.contains(i)) out.push_back(static_cast<Stage>(i));
  }
  return out;
}

void read_matrix(const Node& root, Plan& out) {
  const Node part = root.maybe_map("matrix");
  const std::string name = part.text_or("template", "default");
  Result<matrix::Template> form = matrix::find_template(name, matrix::folder_of(root.where()));
  if (!form) part.fault("template", form.error().message);
  out.form = form ? *std::move(form) : matrix::built_in_templates().front();
  out.required = matrix::read_required(part, out.form);
  out.targets = matrix::read_targets(part.maybe_map("targets"), out.form);
  const std::vector<Node> results = root.maybe_list("results");
  for (std::size_t i = 0; i < out.results.size(); ++i) {
    const matrix::RowTemplate* const row = out.form.find_row(out.results[i].row);
    if (!row) {
      results[i].fault("row", one_of(out.form.row_ids()));
      continue;
    }
    const auto is_named = [&](const matrix::MeasureTemplate& each) { return each.key == out.results[i].measure; };
    if (!out.results[i].measure.empty() && std::none_of(row->measures.begin(), row->measures.end(), is_named)) {
      std::vector<std::string> keys;
      for (const matrix::MeasureTemplate& each : row->measures) keys.push_back(each.key);
      results[i].fault("measure", one_of(keys));
    }
  }
}

/// Names that point at nothing.
void check_names(const Node& root, const Plan& plan) {
  const auto is_system = [&](const std::string& name) {
    return std::any_of(plan.systems.begin(), plan.systems.end(), [&](const System& each) { return each.name == name; });
  };
  const std::vector<Node> workloads = root.maybe_list("workloads"), results = root.maybe_list("results");
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const std::string& model = plan.workloads[i].model;
    if (!model.empty() &&
        std::none_of(plan.models.begin(), plan.models.end(), [&](const Model& each) { return each.name == model; }))
      workloads[i].fault("model", say(EvaluateMsg::fault_no_model, model));
  }
  for (std::size_t i = 0; i < plan.results.size(); ++i) {
    if (!is_system(plan.results[i].system))
      results[i].fault("system", say(EvaluateMsg::fault_no_system, plan.results[i].system));
  }
  const std::vector<Node> claims = root.maybe_list("claims");
  for (std::size_t i = 0; i < plan.claims.size(); ++i) {
    const ClaimFile& each = plan.claims[i];
    if (!each.candidate.empty() && !is_system(each.candidate))
      claims[i].fault("candidate", say(EvaluateMsg::fault_no_system, each.candidate));
    if (!each.workload.empty() && !plan.find_workload(each.workload))
      claims[i].fault("workload", say(EvaluateMsg::fault_no_workload, each.workload));
  }
  const std::vector<Node> systems = root.maybe_list("systems");
  for (std::size_t i = 0; i < plan.systems.size(); ++i) {
    for (const auto& [workload, runs] : plan.systems[i].runs) {
      if (!plan.find_workload(workload)) systems[i].fault("runs", say(EvaluateMsg::fault_no_workload, workload));
    }
  }
}

}  // namespace

const std::vector<std::string>& names_of_who() {
  static const std::vector<std::string> names{"small-team", "own-infrastructure", "single-developer", "vendor"};
  return names;
}

const std::vector<std::string>& names_of_stages() {
  static const std::vector<std::string> names{"readiness", "device", "operators", "correctness", "serving",
                                              "scaling",   "energy", "stability", "lora",        "training"};
  return names;
}

bool is_measured_here(Stage stage) { return stage == Stage::correctness || stage == Stage::serving; }

const Workload* Plan::find_workload(const std::string& workload) const {
  for (const Workload& each : workloads) {
    if (each.name == workload) return &each;
  }
  return nullptr;
}

bool Plan::has(Stage stage) const { return std::find(stages.begin(), stages.end(), stage) != stages.end(); }

Plan read_plan(const Node& root) {
  Plan out;
  out.where = root.where();
  out.name = root.text("evaluation");
  out.question = root.text_or("question", "");
  out.who = static_cast<Who>(root.maybe_choice("who", names_of_who()).value_or(1));
  out.expires_days = root.maybe_count("expires_days", 1, 3650).value_or(90);
  out.pairs = root.maybe_count("pairs", 2, 100).value_or(8);
  out.repeats = root.maybe_count("repeats", 2, 100).value_or(5);
  std::set<std::string> names;
  for (const Node& each : root.list("systems")) out.systems.push_back(read_system(each, names));
  if (out.systems.empty()) root.fault("systems", say(EvaluateMsg::fault_no_systems));
  names.clear();
  for (const Node& each : root.maybe_list("models")) {
    out.models.push_back({read_name(each, names), each.choice("kind", {"public", "own"}) == 1});
  }
  names.clear();
  for (const Node& each : root.maybe_list("workloads")) out.workloads.push_back(read_workload(each, names));
  out.stages = read_stages(root);
  out.correctness = read_correctness(root.maybe_map("correctness"));
  out.subject = root.maybe_texts("subject");
  out.allow = root.maybe_texts("allow");
  for (const Node& each : root.maybe_list("results")) out.results.push_back(read_result(each));
  for (const Node& each : root.maybe_list("dissent")) out.dissents.push_back({each.text("who"), each.text("says")});
  for (const Node& each : root.maybe_list("claims")) out.claims.push_back(read_claim_file(each));
  out.has_cost = root.has("cost");
  out.has_migration = root.has("migration");
  out.migration_log = root.text_or("migration_log", "");
  out.cost_workload = root.text_or("cost_workload", "");
  if (!out.cost_workload.empty() && !out.find_workload(out.cost_workload))
    root.fault("cost_workload", say(EvaluateMsg::fault_no_workload, out.cost_workload));
  read_matrix(root, out);
  check_names(root, out);
  return out;
}

}  // namespace scoville::evaluate
