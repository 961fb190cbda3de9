#pragma once

#include "claim/claim.hpp"
#include "cli/evaluation_cost.hpp"
#include "cli/store_options.hpp"
#include "evaluate/record.hpp"
#include "migration/log.hpp"
#include "migration/plan.hpp"

namespace scoville::cli {

/// A plan's file, all parts of it read.
struct EvaluationPlan {
  evaluate::Plan plan;
  std::optional<cost::Study> cost;
  std::optional<migration::Plan> migration;
  std::optional<migration::Log> migration_log;
  std::vector<claim::Claim> claims;
  std::string text;  ///< the file as it stands
};

/// Reads the plan and the files of claims that it names. The error is one line: file, line, field, what was expected.
Result<EvaluationPlan> read_evaluation(const std::string& path);

/// The decision, from what the steps found. `date`: its day, "2026-11-30".
Result<evaluate::Record> make_record(const EvaluationPlan& input, store::RunStore& store, const StoreOptions& options,
                                     const evaluate::Agenda& agenda, std::vector<evaluate::StepResult> journal,
                                     const std::string& date, bool is_dry);

}  // namespace scoville::cli
