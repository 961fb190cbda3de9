#include "evaluate/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/sha256.hpp"
#include "matrix/mix.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::evaluate {
namespace {

using text::EvaluateMsg;
using text::phrase;
using text::Phrase;
using text::say;

constexpr std::size_t kRisks = 3;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : ", ") + each;
  return out;
}

/// Fields that both sides should have told and one did not.
std::string unverified_in(const Findings& findings, const std::string& candidate) {
  std::vector<std::string> out;
  for (const Serving& each : findings.serving) {
    if (each.candidate != candidate || !each.comparison) continue;
    for (const std::string& key : each.comparison->gate.unverified) {
      if (std::find(out.begin(), out.end(), key) == out.end()) out.push_back(key);
    }
  }
  const std::size_t all = out.size();
  if (all > 3) out.resize(3);
  return joined(out) + (all > 3 ? fmt::format(" +{}", all - 3) : "");
}

Phrase risk_of_row(const matrix::Row& row, EvaluateMsg key) {
  return {text::say_in(text::Language::english, key, row.title.english),
          text::say_in(text::Language::chinese, key, row.title.chinese)};
}

void add_rows(const matrix::Matrix& matrix, bool is_required, matrix::Verdict verdict, EvaluateMsg key,
              std::vector<Phrase>& out) {
  for (const matrix::Row& each : matrix.rows) {
    if (each.is_required == is_required && each.verdict == verdict) out.push_back(risk_of_row(each, key));
  }
}

}  // namespace

const CandidateRecord* Record::best() const {
  const CandidateRecord* out = nullptr;
  for (const CandidateRecord& each : candidates) {
    if (!out || each.matrix.overall < out->matrix.overall) out = &each;
  }
  return out;
}

std::vector<Phrase> risks_of(const Plan& plan, const Findings& findings, const matrix::Matrix& matrix,
                             const CostPart& cost) {
  std::vector<Phrase> out;
  using matrix::Verdict;
  add_rows(matrix, true, Verdict::fail, EvaluateMsg::risk_fails, out);
  for (const matrix::KnockOut& each : matrix.knock_outs) {
    if (each.is_required && each.verdict != Verdict::pass)
      out.push_back({text::say_in(text::Language::english, EvaluateMsg::risk_knock_out, each.requirement.english),
                     text::say_in(text::Language::chinese, EvaluateMsg::risk_knock_out, each.requirement.chinese)});
  }
  for (const matrix::Pilot& each : matrix.pilots) {
    if (each.verdict == Verdict::fail) out.push_back(phrase(EvaluateMsg::risk_pilot, each.name));
  }
  add_rows(matrix, true, Verdict::inconclusive, EvaluateMsg::risk_open, out);
  add_rows(matrix, true, Verdict::untested, EvaluateMsg::risk_untested, out);
  if (const std::string unknown = unverified_in(findings, matrix.candidate); !unknown.empty())
    out.push_back(phrase(EvaluateMsg::risk_unverified, unknown));
  for (const char* id : {"correctness", "stability", "multi_card_scaling"}) {
    for (const matrix::Row& each : matrix.rows) {
      if (each.id == id && !each.is_required && each.verdict == Verdict::untested)
        out.push_back(risk_of_row(each, EvaluateMsg::risk_not_asked));
    }
  }
  if (!cost.sensitivities.empty())
    out.push_back({text::say_in(text::Language::english, EvaluateMsg::risk_cost, cost.sensitivities.front().english),
                   text::say_in(text::Language::chinese, EvaluateMsg::risk_cost, cost.sensitivities.front().chinese)});
  out.push_back(phrase(EvaluateMsg::risk_time, plan.expires_days));
  if (out.size() > kRisks) out.resize(kRisks);
  return out;
}

void decide_all(Record& record) {
  record.candidates.clear();
  for (std::size_t i = 1; i < record.plan.systems.size(); ++i) {
    const System& candidate = record.plan.systems[i];
    Beside beside = record.beside;
    if (record.cost.state != CostPart::State::not_asked)
      beside.cost_ratio = cost_ratio(record.cost, record.plan.systems.front().name, candidate.name);
    CandidateRecord& out = record.candidates.emplace_back();
    out.matrix = matrix::decide(inputs_for(record.plan, record.findings, candidate, beside));
    out.self_check = check_oneself(record.plan, record.findings, out.matrix);
    out.mix = mix_flips(record.plan, record.findings, candidate.name);
    out.risks = risks_of(record.plan, record.findings, out.matrix, record.cost);
  }
}

matrix::Estimate cost_ratio(const CostPart& cost, const std::string& base, const std::string& candidate) {
  matrix::Estimate out;
  out.unit = "1";
  out.source = "cost";
  out.note = cost.why.said();
  const auto find = [&](const std::string& name) -> const CostPart::PerSystem* {
    for (const CostPart::PerSystem& each : cost.systems) {
      if (each.system == name && each.per_mtok_out) return &each;
    }
    return nullptr;
  };
  const CostPart::PerSystem *const below = find(base), *const above = find(candidate);
  if (!below || !above || *below->per_mtok_out <= 0) {
    if (cost.state == CostPart::State::done) out.note = say(EvaluateMsg::cost_not_of_both);
    return out;
  }
  out.value = *above->per_mtok_out / *below->per_mtok_out;
  out.is_exact = below->is_list_price && above->is_list_price;
  const auto end = [](std::optional<double> end_of, double value) { return end_of.value_or(value); };
  const bool is_known = (below->low || below->is_list_price) && (above->low || above->is_list_price);
  if (out.is_exact || !is_known) return out;
  out.low = end(above->low, *above->per_mtok_out) / end(below->high, *below->per_mtok_out);
  out.high = end(above->high, *above->per_mtok_out) / end(below->low, *below->per_mtok_out);
  return out;
}

std::vector<Phrase> mix_flips(const Plan& plan, const Findings& findings, const std::string& candidate) {
  std::vector<std::string> names;
  matrix::MixArm base{plan.systems.front().name, {}}, other{candidate, {}};
  for (const Serving& each : findings.serving) {
    const Workload* const workload = plan.find_workload(each.workload);
    if (each.candidate != candidate || !workload || !each.comparison) continue;
    if (each.comparison->gate.result == decide::GateResult::refuse) continue;
    const char* const metric = workload->slos.empty() ? "requests_per_s" : "goodput_per_s";
    const auto below = figure_of(*each.base, metric), above = figure_of(*each.other, metric);
    if (!below || !above || below->median.value_or(0) <= 0 || above->median.value_or(0) <= 0) continue;
    names.push_back(each.workload);
    base.values.push_back(1 / *below->median);
    other.values.push_back(1 / *above->median);
  }
  std::vector<Phrase> out;
  if (names.size() < 2) return out;
  const std::vector<matrix::MixArm> arms{base, other};
  const std::vector<double> alike(names.size(), 1.0);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto segments = matrix::mix_flip(arms, alike, i, /*is_lower_better=*/true);
    if (segments.size() != 2) continue;
    out.push_back(phrase(EvaluateMsg::mix_flip, arms[segments[1].arm].name, names[i],
                         fmt::format("{:.0f}", segments[1].from * 100), arms[segments[0].arm].name));
  }
  return out;
}

std::string day_after(const std::string& date, std::size_t days) {
  using namespace std::chrono;
  const year_month_day from(year(std::stoi(date.substr(0, 4))),
                            month(static_cast<unsigned>(std::stoi(date.substr(5, 2)))),
                            day(static_cast<unsigned>(std::stoi(date.substr(8, 2)))));
  const year_month_day to(sys_days(from) + std::chrono::days(static_cast<int>(days)));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(to.year()), static_cast<unsigned>(to.month()),
                     static_cast<unsigned>(to.day()));
}

std::string hash_of_inputs(const std::string& plan_text, const Findings& findings, int method_version) {
  Sha256 hash;
  hash.add(plan_text);
  hash.add(fmt::format("\nmethod {}\n", method_version));
  for (const Serving& each : findings.serving) {
    for (const auto* arm : {&each.base, &each.other}) {
      if (!*arm) continue;
      for (const decide::ArmRun& run : (*arm)->runs) hash.add(run.id + "\n");
    }
  }
  for (const CorrectnessFinding& each : findings.correctness) hash.add(each.id + "\n");
  return hash.finish();
}

}  // namespace scoville::evaluate
