#include "report/evaluation.hpp"
#include "report/matrix.hpp"

namespace scoville::report {
namespace {

using evaluate::Record;
using evaluate::Serving;

json::object both(const text::Phrase& phrase) { return {{"en", phrase.english}, {"zh", phrase.chinese}}; }
json::value both_or_null(const text::Phrase& phrase) {
  return phrase.english.empty() ? json::value(nullptr) : json::value(both(phrase));
}
json::array list(const std::vector<std::string>& words) {
  json::array out;
  for (const std::string& each : words) out.emplace_back(each);
  return out;
}

json::value figure_json(const std::optional<decide::Arm>& arm, const decide::Metric& metric) {
  const auto figure = arm ? evaluate::figure_of(*arm, metric.key) : std::nullopt;
  if (!figure || !figure->median) return nullptr;
  return json::object{{"median", *figure->median},
                      {"low", number_or_null(figure->low)},
                      {"high", number_or_null(figure->high)},
                      {"unit", std::string(metric.unit)},
                      {"supported", figure->is_supported}};
}

json::value ratio_json(const Serving& serving, std::string_view key) {
  if (!serving.comparison) return nullptr;
  const decide::MetricComparison* const found = serving.comparison->find(key);
  if (!found || !found->ratio) return nullptr;
  const auto& interval = found->ratio->interval;
  return json::object{{"value", found->ratio->value},
                      {"low", interval ? json::value(interval->lower) : nullptr},
                      {"high", interval ? json::value(interval->upper) : nullptr},
                      {"primary", found->is_primary}};
}

json::value arm_json(const std::optional<decide::Arm>& arm) {
  if (!arm) return nullptr;
  json::array ids;
  for (const decide::ArmRun& each : arm->runs) ids.emplace_back(each.id);
  return json::object{{"system", arm->name}, {"runs", std::move(ids)}, {"left_out", arm->left_out}};
}

json::value gate_json(const Serving& serving) {
  if (!serving.comparison) return nullptr;
  const decide::Gate& gate = serving.comparison->gate;
  return json::object{{"result", std::string(decide::name_of(gate.result))},
                      {"scope", std::string(decide::name_of(gate.scope))},
                      {"refused", list(gate.refused)},
                      {"unverified", list(gate.unverified)},
                      {"allowed", list(gate.allowed)},
                      {"differs", list(gate.differs)}};
}

json::object serving_json(const Serving& serving) {
  json::object figures;
  for (const decide::Metric& each : decide::metrics()) {
    json::value base = figure_json(serving.base, each), other = figure_json(serving.other, each);
    if (base.is_null() && other.is_null()) continue;
    figures[each.key] = json::object{
        {"baseline", std::move(base)}, {"candidate", std::move(other)}, {"ratio", ratio_json(serving, each.key)}};
  }
  json::array doubts;
  for (const text::Phrase& each : serving.doubts) doubts.emplace_back(each.english);
  return {{"workload", serving.workload},
          {"candidate", serving.candidate.empty() ? json::value(nullptr) : json::value(serving.candidate)},
          {"baseline_runs", arm_json(serving.base)},
          {"candidate_runs", arm_json(serving.other)},
          {"gate", gate_json(serving)},
          {"why_none", both_or_null(serving.why_none)},
          {"figures", std::move(figures)},
          {"doubts", std::move(doubts)}};
}

json::value share_json(const std::optional<evaluate::CorrectnessFinding::Share>& share) {
  if (!share) return nullptr;
  return json::object{{"value", number_or_null(share->value)},
                      {"low", number_or_null(share->low)},
                      {"high", number_or_null(share->high)},
                      {"n", share->n}};
}

json::object candidate_json(const Record& record, const evaluate::CandidateRecord& candidate) {
  json::array checks, risks;
  for (const evaluate::SelfCheck& each : candidate.self_check)
    checks.push_back(json::object{{"code", each.code}, {"holds", each.holds}, {"sentence", both(each.sentence)}});
  for (const text::Phrase& each : candidate.risks) risks.push_back(both(each));
  return {{"candidate", candidate.matrix.candidate},
          {"decision", std::string(matrix::name_of(candidate.matrix.overall))},
          {"sentence", verdict_sentence(candidate)},
          {"matrix", matrix_json(candidate.matrix)},
          {"risks", std::move(risks)},
          {"not_tested", list(not_tested(record, candidate))},
          {"would_change", list(would_change(record, candidate))},
          {"self_check", std::move(checks)}};
}

json::array steps_json(const Record& record) {
  json::array out;
  for (const evaluate::Step& each : record.agenda.steps) {
    const evaluate::StepResult* const result = evaluate::result_of(record.journal, each);
    out.push_back(json::object{{"step", each.id},
                               {"command", "scoville " + evaluate::shell_line(each.words)},
                               {"status", result ? json::value(result->status) : nullptr},
                               {"seconds", result ? json::value(result->seconds) : nullptr},
                               {"date", result ? json::value(result->date) : nullptr},
                               {"said", result && !result->said.empty() ? json::value(result->said) : nullptr}});
  }
  return out;
}

json::value cost_json_of(const evaluate::CostPart& cost) {
  if (cost.state == evaluate::CostPart::State::not_asked) return nullptr;
  if (cost.state == evaluate::CostPart::State::incomplete)
    return json::object{{"state", "incomplete"}, {"why", both(cost.why)}};
  return json::object{{"state", "done"}, {"study", cost.object}};
}

}  // namespace

json::object evaluation_json(const Record& record) {
  const evaluate::CandidateRecord* const best = record.best();
  json::array candidates, serving, correctness, claims, dissents, not_run;
  for (const auto& each : record.candidates) candidates.push_back(candidate_json(record, each));
  for (const Serving& each : record.findings.serving) serving.push_back(serving_json(each));
  for (const auto& each : record.findings.correctness)
    correctness.push_back(json::object{{"candidate", each.candidate},
                                       {"id", each.id},
                                       {"verdict", each.verdict},
                                       {"score_ratio", share_json(each.score_ratio)},
                                       {"agreement", share_json(each.agreement)},
                                       {"self_agreement", share_json(each.self_agreement)}});
  for (const auto& each : record.claims)
    claims.push_back(json::object{
        {"id", each.id}, {"verdict", each.verdict}, {"evidence", each.evidence}, {"narrow", both(each.narrow)}});
  for (const auto& each : record.plan.dissents)
    dissents.push_back(json::object{{"who", each.who}, {"says", each.words}});
  for (const auto& each : record.agenda.not_run)
    not_run.push_back(json::object{{"stage", evaluate::names_of_stages()[static_cast<std::size_t>(each.stage)]},
                                   {"candidate", each.candidate},
                                   {"why", std::string(evaluate::name_of(each.why))}});
  return {{"schema", "scoville.decision/1"},
          {"evaluation", record.plan.name},
          {"question", record.plan.question},
          {"who", evaluate::names_of_who()[static_cast<std::size_t>(record.plan.who)]},
          {"decision", best ? std::string(matrix::name_of(best->matrix.overall)) : "baseline"},
          {"best", best ? json::value(best->matrix.candidate) : nullptr},
          {"baseline", record.plan.systems.front().name},
          {"dry", record.is_dry},
          {"date", record.date},
          {"expires", record.expires},
          {"version", record.version},
          {"method_version", record.method_version},
          {"inputs_hash", record.inputs_hash},
          {"candidates", std::move(candidates)},
          {"serving", std::move(serving)},
          {"correctness", std::move(correctness)},
          {"cost", cost_json_of(record.cost)},
          {"migration", record.migration.empty() ? json::value(nullptr) : json::value(record.migration)},
          {"claims", std::move(claims)},
          {"dissent", std::move(dissents)},
          {"steps", steps_json(record)},
          {"not_run", std::move(not_run)}};
}

}  // namespace scoville::report
