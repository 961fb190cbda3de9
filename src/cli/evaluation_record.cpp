#include "cli/evaluation_record.hpp"

#include "base/file.hpp"
#include "base/version.hpp"
#include "claim/check.hpp"
#include "cli/claim_result.hpp"
#include "cli/evaluation_gather.hpp"
#include "report/claim.hpp"
#include "report/next.hpp"
#include "text/catalogue/evaluate.hpp"

namespace scoville::cli {
namespace {

using evaluate::Record;
using text::EvaluateMsg;

matrix::Estimate in_months(const migration::Spread& months) {
  matrix::Estimate out;
  out.unit = "months";
  out.value = months.p50;
  out.low = months.p10;
  out.high = months.p90;
  out.source = "migration";
  return out;
}

/// What the work breakdown says: a month is a person's.
void add_migration(const migration::Plan& plan, const migration::Log* log, Record& record) {
  const migration::Estimate estimate = migration::work_out(plan, log);
  record.migration = report::migration_json(plan, estimate);
  record.beside.engineer_months = in_months(estimate.engineer_months);
}

/// The sides of the comparison that a claim of this plan is about: by the tags under which the steps kept them.
std::vector<std::string> sides_of(const evaluate::Plan& plan, const evaluate::Agenda& agenda,
                                  const evaluate::ClaimFile& claim) {
  const evaluate::Workload* const workload = plan.find_workload(claim.workload);
  if (!workload) return {};
  for (std::size_t i = 1; i < plan.systems.size(); ++i) {
    if (plan.systems[i].name != claim.candidate) continue;
    return {evaluate::runs_of(plan, agenda, *workload, 0), evaluate::runs_of(plan, agenda, *workload, i)};
  }
  return {};
}

evaluate::ClaimPart check_claim(const EvaluationPlan& input, const evaluate::Agenda& agenda, const StoreOptions& store,
                                std::size_t place) {
  const claim::Claim& claim = input.claims[place];
  const evaluate::ClaimFile& file = input.plan.claims[place];
  std::vector<claim::Measured> measured;
  const std::vector<std::string> sides = sides_of(input.plan, agenda, file);
  if (sides.size() == 2 && !sides[0].empty() && !sides[1].empty()) {
    if (Result<claim::Measured> result = measured_for(claim, sides, store)) measured.push_back(std::move(*result));
  }
  const claim::Check check = claim::check(claim, measured, file.path);
  return {claim.id, std::string(claim::name_of(check.ruling.verdict)),
          std::string(claim::name_of(check.evidence.level)), check.narrow};
}

}  // namespace

Result<EvaluationPlan> read_evaluation(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  const Result<config::Node> root = config::Node::parse(*text, path);
  if (!root) return root.error();
  EvaluationPlan out;
  out.text = *text;
  out.plan = evaluate::read_plan(*root);
  if (out.plan.has_cost) out.cost = cost::read_study(root->map("cost"));
  if (out.plan.has_migration) out.migration = migration::read_plan(root->map("migration"));
  if (Status status = root->finish(); !status) return status.error();
  if (!out.plan.migration_log.empty()) {
    const std::string file = matrix::folder_of(path) + out.plan.migration_log;
    const Result<std::string> lines = read_file(file);
    if (!lines) return lines.error();
    Result<migration::Log> log = migration::Log::parse(*lines, file);
    if (!log) return log.error();
    out.migration_log = std::move(*log);
  }
  for (const evaluate::ClaimFile& each : out.plan.claims) {
    Result<claim::Claim> claim = claim::read_claim_file(matrix::folder_of(path) + each.path);
    if (!claim) return claim.error();
    out.claims.push_back(std::move(*claim));
  }
  return out;
}

Result<Record> make_record(const EvaluationPlan& input, store::RunStore& store, const StoreOptions& options,
                           const evaluate::Agenda& agenda, std::vector<evaluate::StepResult> journal,
                           const std::string& date, bool is_dry) {
  Record out;
  out.plan = input.plan;
  out.agenda = agenda;
  out.journal = std::move(journal);
  Result<evaluate::Findings> findings = gather_findings(store, input.plan, agenda);
  if (!findings) return findings.error();
  out.findings = std::move(*findings);
  if (input.cost) out.cost = price_evaluation(store, input.plan, agenda, *input.cost);
  if (input.migration) add_migration(*input.migration, input.migration_log ? &*input.migration_log : nullptr, out);
  for (std::size_t i = 0; i < input.claims.size(); ++i) out.claims.push_back(check_claim(input, agenda, options, i));
  evaluate::decide_all(out);
  out.date = date;
  out.expires = evaluate::day_after(date, input.plan.expires_days);
  out.version = version();
  out.method_version = kMethodVersion;
  out.inputs_hash = evaluate::hash_of_inputs(input.text, out.findings, kMethodVersion);
  out.is_dry = is_dry;
  return out;
}

}  // namespace scoville::cli
