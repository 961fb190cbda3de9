#include "cli/evaluation_gather.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/arms.hpp"
#include "cli/compare_options.hpp"
#include "cli/set_words.hpp"
#include "store/bundle.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::cli {
namespace {

using evaluate::Serving;
using evaluate::Step;
using text::EvaluateMsg;
using text::phrase;

const Step* step_of(const evaluate::Agenda& agenda, const std::string& workload, const std::string& candidate) {
  for (const Step& each : agenda.steps) {
    if (each.stage == evaluate::Stage::serving && each.workload == workload && each.candidate == candidate)
      return &each;
  }
  return nullptr;
}

/// The runs of one side. None is no fault: it was not measured.
Result<std::optional<decide::Arm>> arm_named(store::RunStore& store, const std::string& name) {
  if (name.empty()) return std::optional<decide::Arm>();
  Result<decide::Arm> arm = store::looks_like_bundle(name) ? read_arm_of_bundle(name) : read_arm(store, name, true);
  if (arm) return std::optional(std::move(*arm));
  if (arm.error().code == ErrorCode::not_found || arm.error().code == ErrorCode::invalid_argument)
    return std::optional<decide::Arm>();
  return arm.error();
}

/// Where the runs of both sides are: of a duel, of a bench of each, or made before.
struct Names {
  std::string base, other;
  bool is_paired = false;
};

Names names_of(const evaluate::Plan& plan, const evaluate::Agenda& agenda, const evaluate::Workload& workload,
               std::size_t candidate) {
  Names out;
  const auto given = [&](const evaluate::System& system) {
    const auto found = system.runs.find(workload.name);
    return found == system.runs.end() ? std::string() : found->second;
  };
  out.base = given(plan.systems.front());
  const std::string name = candidate == 0 ? "" : plan.systems[candidate].name;
  if (candidate > 0) out.other = given(plan.systems[candidate]);
  if (const Step* const step = step_of(agenda, workload.name, name)) {
    out.is_paired = step->tags.size() == 2;
    if (out.is_paired) return {step->tags[0], step->tags[1], true};
    (candidate == 0 ? out.base : out.other) = step->tags.front();
  }
  if (out.base.empty()) {
    if (const Step* const alone = step_of(agenda, workload.name, "")) out.base = alone->tags.front();
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) { return fmt::to_string(fmt::join(words, ",")); }

/// One side against the other, as `compare` and `duel` do it.
Status compare_sides(const store::RunStore& store, const evaluate::Plan& plan, const evaluate::Workload& workload,
                     bool is_paired, Serving& into) {
  CompareOptions options;
  Parameters parameters;
  options.declare(parameters);
  std::vector<std::string> words{"--primary", workload.slos.empty() ? "output_tokens_per_s" : "goodput_per_s"};
  if (!plan.subject.empty()) words.insert(words.end(), {"--subject", joined(plan.subject)});
  if (!plan.allow.empty()) words.insert(words.end(), {"--allow", joined(plan.allow)});
  if (Status set = set_words(parameters, words); !set) return set;
  if (is_paired) {
    const std::size_t pairs = std::min(into.base->runs.size(), into.other->runs.size());
    into.base->runs.resize(pairs);
    into.other->runs.resize(pairs);
  }
  const auto design = is_paired ? decide::Design::paired : decide::Design::unpaired;
  const Result<report::CompareView> view = options.compare({*into.base, *into.other}, design, &store);
  if (!view) return view.error();
  into.comparison = view->comparisons.front();
  for (const dataset::Warning& each : view->warnings) into.doubts.push_back(each.sentence);
  const decide::Gate& gate = into.comparison->gate;
  if (gate.result == decide::GateResult::refuse)
    into.why_none = phrase(EvaluateMsg::gate_refused, fmt::to_string(fmt::join(gate.refused, ", ")));
  return Done{};
}

Result<Serving> gather_one(store::RunStore& store, const evaluate::Plan& plan, const evaluate::Agenda& agenda,
                           const evaluate::Workload& workload, std::size_t candidate) {
  Serving out;
  out.workload = workload.name;
  if (candidate > 0) out.candidate = plan.systems[candidate].name;
  const Names names = names_of(plan, agenda, workload, candidate);
  auto base = arm_named(store, names.base), other = arm_named(store, names.other);
  if (!base) return base.error();
  if (!other) return other.error();
  out.base = std::move(*base);
  out.other = std::move(*other);
  if (out.base) out.base->name = plan.systems.front().name;
  if (out.other) out.other->name = out.candidate;
  if (candidate == 0) return out;
  if (!out.base || !out.other) {
    out.why_none = phrase(EvaluateMsg::side_missing, out.base ? out.candidate : plan.systems.front().name);
    return out;
  }
  if (Status compared = compare_sides(store, plan, workload, names.is_paired, out); !compared) return compared.error();
  return out;
}

/// The newest check with the tag of this step.
Result<std::optional<evaluate::CorrectnessFinding>> gather_correctness(const store::RunStore& store, const Step& step) {
  const auto stored = store.findings("correctness");
  if (!stored) return stored.error();
  for (const store::Finding& each : *stored) {  // newest first
    const json::object* const body = each.body.if_object();
    const json::value* const tag = body ? body->if_contains("tag") : nullptr;
    if (!tag || !tag->is_string() || tag->get_string() != step.tags.front()) continue;
    return std::optional(evaluate::correctness_from(*body, step.candidate));
  }
  return std::optional<evaluate::CorrectnessFinding>();
}

}  // namespace

Result<evaluate::Findings> gather_findings(store::RunStore& store, const evaluate::Plan& plan,
                                           const evaluate::Agenda& agenda) {
  evaluate::Findings out;
  for (const evaluate::Workload& workload : plan.workloads) {
    const std::size_t first = plan.systems.size() == 1 ? 0 : 1;
    for (std::size_t i = first; i < plan.systems.size(); ++i) {
      Result<Serving> one = gather_one(store, plan, agenda, workload, i);
      if (!one) return one.error();
      out.serving.push_back(std::move(*one));
    }
  }
  for (const Step& each : agenda.steps) {
    if (each.stage != evaluate::Stage::correctness) continue;
    auto finding = gather_correctness(store, each);
    if (!finding) return finding.error();
    if (*finding) out.correctness.push_back(std::move(**finding));
  }
  return out;
}

}  // namespace scoville::cli
