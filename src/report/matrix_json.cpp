#include <array>

#include "report/matrix.hpp"

namespace scoville::report {
namespace {

using matrix::Change;
using matrix::Estimate;
using matrix::KnockOut;
using matrix::Target;

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }
json::value count_or_null(std::size_t count) { return count ? json::value(count) : json::value(nullptr); }
json::value count_or_null(const std::optional<std::size_t>& count) {
  return count ? json::value(*count) : json::value(nullptr);
}
json::string name(std::string_view word) { return json::string(word); }

json::object estimate_json(const Estimate& estimate) {
  return {{"value", number_or_null(estimate.value)},
          {"low", number_or_null(estimate.low)},
          {"high", number_or_null(estimate.high)},
          {"n", count_or_null(estimate.n)},
          {"samples", count_or_null(estimate.samples)},
          {"unit", text_or_null(estimate.unit)},
          {"exact", estimate.is_exact},
          {"source", text_or_null(estimate.source)},
          {"note", text_or_null(estimate.note)}};
}

json::value target_json(const Target& target) {
  if (!target.is_set()) return nullptr;
  return json::object{{"least", number_or_null(target.least)}, {"most", number_or_null(target.most)},
                      {"unit", text_or_null(target.unit)},     {"default", target.is_default},
                      {"source", text_or_null(target.source)}, {"date", text_or_null(target.date)}};
}

json::object measure_json(const matrix::JudgedMeasure& measure) {
  return {
      {"measure", measure.key},
      {"workload", text_or_null(measure.workload)},
      {"measured", estimate_json(measure.estimate)},
      {"target", target_json(measure.target)},
      {"verdict", measure.is_shown_only ? json::value(nullptr) : json::value(name(name_of(measure.judgement.verdict)))},
      {"reason", name(name_of(measure.judgement.reason))},
      {"needed", count_or_null(measure.judgement.needed)}};
}

json::object row_json(const matrix::Row& row) {
  json::array measures;
  for (const matrix::JudgedMeasure& each : row.measures) measures.push_back(measure_json(each));
  return {{"id", row.id},
          {"dimension", row.dimension},
          {"title", row.title.english},
          {"method", text_or_null(row.method.english)},
          {"required", row.is_required},
          {"verdict", name(name_of(row.verdict))},
          {"measures", std::move(measures)}};
}

json::object knock_out_json(const KnockOut& knock_out) {
  json::array accepted;
  for (const std::string& each : knock_out.accepted) accepted.push_back(json::string(each));
  json::object out{{"id", knock_out.id},
                   {"requirement", text_or_null(knock_out.requirement.english)},
                   {"required", knock_out.is_required},
                   {"target", target_json(knock_out.target)},
                   {"accepted", std::move(accepted)},
                   {"value", nullptr},
                   {"low", nullptr},
                   {"high", nullptr},
                   {"source", text_or_null(knock_out.source)},
                   {"date", text_or_null(knock_out.date)},
                   {"verdict", name(name_of(knock_out.verdict))}};
  if (knock_out.word) out["value"] = json::string(*knock_out.word);
  if (knock_out.number) {
    out["value"] = knock_out.number->value;
    out["low"] = number_or_null(knock_out.number->low);
    out["high"] = number_or_null(knock_out.number->high);
  }
  return out;
}

json::object change_json(const Change& change) {
  constexpr std::array<std::string_view, 5> kSubjects{"row", "knock_out", "pilot", "nothing_required", "no_pilot"};
  return {{"subject", name(kSubjects[static_cast<std::size_t>(change.subject)])},
          {"id", text_or_null(change.id)},
          {"measure", text_or_null(change.measure)},
          {"workload", text_or_null(change.workload)},
          {"verdict", name(name_of(change.verdict))},
          {"reason", name(name_of(change.judgement.reason))},
          {"needed", count_or_null(change.judgement.needed)},
          {"target", target_json(change.target)}};
}

}  // namespace

json::object matrix_json(const matrix::Matrix& matrix) {
  json::array rows, knock_outs, pilots, blocking, changes;
  for (const matrix::Row& each : matrix.rows) rows.push_back(row_json(each));
  for (const KnockOut& each : matrix.knock_outs) knock_outs.push_back(knock_out_json(each));
  for (const matrix::Pilot& each : matrix.pilots) {
    pilots.push_back(json::object{{"name", each.name},
                                  {"verdict", name(name_of(each.verdict))},
                                  {"source", text_or_null(each.source)},
                                  {"note", text_or_null(each.note)}});
  }
  for (const std::string& each : matrix.blocking) blocking.push_back(json::string(each));
  for (const Change& each : matrix.would_change) changes.push_back(change_json(each));
  return {{"template", json::object{{"id", matrix.template_id}, {"version", matrix.template_version}}},
          {"candidate", text_or_null(matrix.candidate)},
          {"baseline", text_or_null(matrix.baseline)},
          {"scenario", text_or_null(matrix.scenario)},
          {"overall", name(name_of(matrix.overall))},
          {"blocking", std::move(blocking)},
          {"would_change", std::move(changes)},
          {"rows", std::move(rows)},
          {"knock_outs", std::move(knock_outs)},
          {"pilots", std::move(pilots)}};
}

}  // namespace scoville::report
