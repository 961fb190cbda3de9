#include "report/correctness.hpp"

namespace scoville::report {
namespace {

using namespace correctness;

json::value text_or_null(std::string_view text) {
  if (text.empty()) return nullptr;
  return json::string(text);
}

template <class Bounds>
void put_interval(json::object& out, const std::optional<Bounds>& interval) {
  out["low"] = interval ? number_or_null(interval->lower) : json::value(nullptr);
  out["high"] = interval ? number_or_null(interval->upper) : json::value(nullptr);
}

json::object arm_json(const Arm& arm) {
  json::object facts;
  for (const auto& [key, value] : accuracy_facts(arm.system)) facts[key] = value;
  const auto known = [&](std::string_view key) { return text_or_null(arm.system.text(key)); };
  return {{"url", arm.url},
          {"model", arm.model},
          {"fingerprint", arm.system.empty() ? json::value(nullptr) : json::value(arm.system.comparable_hash())},
          {"engine", known("engine.name")},
          {"engine_version", known("engine.version")},
          {"dtype", known("model.dtype")},
          {"quantisation", known("model.quantisation")},
          {"asked", arm.asked},
          {"failed", arm.failed},
          {"accuracy_facts", std::move(facts)}};
}

json::object asking_json(const Asking& asking) {
  return {{"dialect", asking.dialect},
          {"temperature", 0},
          {"top_p", 1},
          {"seed", asking.seed},
          {"max_tokens", asking.max_tokens},
          {"logprobs", asking.logprobs},
          {"concurrency", asking.concurrency}};
}

std::string_view reason_name(UnitReason reason) {
  return reason == UnitReason::none ? "" : reason == UnitReason::not_listed ? "not_listed" : "spelt_differently";
}

json::value agreement_json(const std::optional<Agreement>& agreement) {
  if (!agreement) return nullptr;
  json::object identical{{"n", agreement->identical}, {"share", number_or_null(agreement->identical_share)}};
  put_interval(identical, agreement->identical_interval);
  json::object prefix{{"mean", number_or_null(agreement->prefix_mean)},
                      {"median", number_or_null(agreement->prefix_median)}};
  put_interval(prefix, agreement->prefix_interval);
  prefix["coverage"] = agreement->prefix_interval ? number_or_null(agreement->prefix_interval->coverage) : nullptr;
  json::array pairs;
  for (const PairAgreement& each : agreement->pairs) {
    const std::string_view outcome = !each.is_measured       ? "not_measured"
                                     : each.candidate_failed ? "candidate_failed"
                                     : each.divergence       ? "differs"
                                                             : "identical";
    pairs.push_back(json::object{{"outcome", outcome},
                                 {"divergence", each.divergence ? json::value(*each.divergence) : nullptr},
                                 {"prefix_share", each.is_measured ? json::value(each.prefix_share) : nullptr},
                                 {"reference_length", each.base_length},
                                 {"candidate_length", each.other_length}});
  }
  return json::object{
      {"unit", name_of(agreement->unit)},
      {"unit_reason", text_or_null(reason_name(agreement->unit_reason))},
      {"n", agreement->pairs.size()},
      {"measured", agreement->measured},
      {"not_measured", agreement->not_measured()},
      {"candidate_failed", agreement->candidate_failed},
      {"identical", std::move(identical)},
      {"prefix", std::move(prefix)},
      {"divergence",
       json::object{{"n", agreement->diverged}, {"median", number_or_null(agreement->divergence_median)}}},
      {"pairs", std::move(pairs)},
  };
}

json::value spread_json(const std::optional<Spread>& spread) {
  if (!spread) return nullptr;
  return json::object{{"mean", spread->mean},           {"median", spread->median},   {"max", spread->largest},
                      {"positions", spread->positions}, {"prompts", spread->prompts}, {"unit", "nat"}};
}

json::value logprobs_json(const std::optional<LogprobDistance>& distance) {
  if (!distance) return nullptr;
  return json::object{{"reason", text_or_null(name_of(distance->reason))},
                      {"chosen", spread_json(distance->chosen)},
                      {"kl_at_least", spread_json(distance->kl_at_least)}};
}

json::value comparison_json(const std::optional<ScoreComparison>& scores) {
  if (!scores) return nullptr;
  const stats::PairedCounts& counts = scores->counts;
  json::object difference{{"value", number_or_null(scores->difference)}};
  put_interval(difference, scores->difference_interval);
  json::object ratio{{"value", number_or_null(scores->ratio)}};
  put_interval(ratio, scores->ratio_interval);
  return json::object{
      {"n", counts.pairs()},
      {"both", counts.both},
      {"reference_only", counts.base_only},
      {"candidate_only", counts.other_only},
      {"neither", counts.neither},
      {"reference_failed", scores->reference_failed},
      {"mcnemar", json::object{{"b", counts.base_only}, {"c", counts.other_only}, {"p", scores->mcnemar_p}}},
      {"difference", std::move(difference)},
      {"ratio", std::move(ratio)},
  };
}

json::value tasks_json(const Check& check) {
  if (check.task_ids.empty()) return nullptr;
  json::array arms, outcomes;
  for (const Arm& each : check.arms) {
    json::object score{{"right", each.score->right},
                       {"failed", each.score->failed},
                       {"cut_off", each.score->cut_off},
                       {"too_complex", each.score->too_complex},
                       {"score", number_or_null(each.score->share)}};
    put_interval(score, each.score->interval);
    arms.push_back(std::move(score));
  }
  for (std::size_t i = 0; i < check.task_ids.size(); ++i) {
    json::object one{{"id", check.task_ids[i]}, {"reference", name_of(check.arms[0].score->outcomes[i])}};
    if (check.has_candidate()) one["candidate"] = name_of(check.arms[1].score->outcomes[i]);
    outcomes.push_back(std::move(one));
  }
  return json::object{{"file", check.tasks_name},
                      {"sha256", check.tasks_sha256},
                      {"n", check.task_ids.size()},
                      {"arms", std::move(arms)},
                      {"comparison", comparison_json(check.scores)},
                      {"outcomes", std::move(outcomes)}};
}

json::value gate_answer_json(const std::optional<GateAnswer>& answer) {
  if (!answer) return nullptr;
  return json::object{{"verdict", name_of(answer->verdict)},
                      {"reason", name_of(answer->reason)},
                      {"target", answer->target},
                      {"needed", number_or_null(answer->needed)}};
}

json::object gate_json(const Check& check) {
  const bool has_tasks = check.gate.tasks.has_value();
  return {{"verdict", name_of(check.gate.verdict)},
          {"reason", name_of(check.gate.reason)},
          {"accuracy_target", has_tasks ? check.accuracy_target : 0},
          {"agreement_target", number_or_null(check.agreement_target)},
          {"tasks", gate_answer_json(check.gate.tasks)},
          {"agreement", gate_answer_json(check.gate.agreement)}};
}

}  // namespace

json::object correctness_json(const Check& check) {
  json::array arms, warnings;
  for (const Arm& each : check.arms) arms.push_back(arm_json(each));
  for (const dataset::Warning& each : check.warnings)
    warnings.push_back(json::object{{"code", each.code}, {"message", each.sentence.english}});
  json::object out{{"schema", "scoville.correctness/1"}, {"id", check.id}, {"tag", text_or_null(check.tag)}};
  out["subject"] = check.has_candidate() ? json::value(accuracy_subject(check.arms[0].system, check.arms[1].system))
                                         : json::value(nullptr);
  out["arms"] = std::move(arms);
  out["request"] = asking_json(check.asking);
  out["prompts"] = check.prompts_name.empty()
                       ? json::value(nullptr)
                       : json::value(json::object{{"name", check.prompts_name}, {"hash", check.prompts_hash}});
  out["agreement"] = agreement_json(check.agreement);
  out["self_agreement"] = agreement_json(check.self_agreement);
  out["logprobs"] = logprobs_json(check.logprobs);
  out["tasks"] = tasks_json(check);
  out["gate"] = gate_json(check);
  out["warnings"] = std::move(warnings);
  return out;
}

}  // namespace scoville::report
