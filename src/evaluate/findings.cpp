#include "evaluate/findings.hpp"

namespace scoville::evaluate {
namespace {

const json::object* object_at(const json::object& from, std::string_view key) {
  const json::value* const found = from.if_contains(key);
  return found ? found->if_object() : nullptr;
}

std::optional<double> number_at(const json::object& from, std::string_view key) {
  const json::value* const found = from.if_contains(key);
  if (!found || !found->is_number()) return std::nullopt;
  return found->to_number<double>();
}

std::string text_at(const json::object& from, std::string_view key) {
  const json::value* const found = from.if_contains(key);
  return found && found->is_string() ? std::string(found->get_string()) : "";
}

using Share = CorrectnessFinding::Share;

std::optional<Share> agreement_at(const json::object& stored, std::string_view key) {
  const json::object* const agreement = object_at(stored, key);
  const json::object* const identical = agreement ? object_at(*agreement, "identical") : nullptr;
  if (!identical) return std::nullopt;
  return Share{number_at(*identical, "share"), number_at(*identical, "low"), number_at(*identical, "high"),
               static_cast<std::size_t>(number_at(*agreement, "measured").value_or(0))};
}

std::optional<Share> ratio_in(const json::object& stored) {
  const json::object* const tasks = object_at(stored, "tasks");
  const json::object* const comparison = tasks ? object_at(*tasks, "comparison") : nullptr;
  const json::object* const ratio = comparison ? object_at(*comparison, "ratio") : nullptr;
  if (!ratio) return std::nullopt;
  return Share{number_at(*ratio, "value"), number_at(*ratio, "low"), number_at(*ratio, "high"),
               static_cast<std::size_t>(number_at(*comparison, "n").value_or(0))};
}

}  // namespace

const Serving* Findings::find(const std::string& workload, const std::string& candidate) const {
  for (const Serving& each : serving) {
    if (each.workload == workload && each.candidate == candidate) return &each;
  }
  return nullptr;
}

const CorrectnessFinding* Findings::find_correctness(const std::string& candidate) const {
  for (const CorrectnessFinding& each : correctness) {
    if (each.candidate == candidate) return &each;
  }
  return nullptr;
}

std::optional<analyse::SetFigure> figure_of(const decide::Arm& arm, std::string_view metric) {
  const decide::Metric* const found = decide::find_metric(metric);
  if (!found || arm.runs.empty()) return std::nullopt;
  std::vector<std::optional<double>> values;
  bool is_supported = true;
  for (const decide::ArmRun& each : arm.runs) {
    const analyse::RunFigure figure = found->of(each.statistics);
    values.push_back(figure.value);
    is_supported = is_supported && figure.is_supported;
  }
  analyse::SetFigure out = analyse::over_runs(std::move(values));
  out.is_supported = is_supported;
  return out;
}

CorrectnessFinding correctness_from(const json::object& stored, std::string candidate) {
  CorrectnessFinding out;
  out.candidate = std::move(candidate);
  out.id = text_at(stored, "id");
  if (const json::object* const gate = object_at(stored, "gate")) out.verdict = text_at(*gate, "verdict");
  out.score_ratio = ratio_in(stored);
  out.agreement = agreement_at(stored, "agreement");
  out.self_agreement = agreement_at(stored, "self_agreement");
  return out;
}

}  // namespace scoville::evaluate
