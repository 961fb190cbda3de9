#include "cli/arms.hpp"

#include <filesystem>
#include <set>

#include "cli/external.hpp"
#include "cli/runs.hpp"
#include "decide/gate.hpp"
#include "environment/checklist.hpp"
#include "plan/plan_json.hpp"
#include "store/bundle.hpp"
#include "store/temporary_store.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// Equal for runs that repeat each other, the system apart: a server that was started anew may have another port.
std::string plan_of(const decide::Setup& setup) {
  return compact(json::object{{"load", plan::to_json(setup.load)},
                              {"shape", plan::to_json(setup.shape)},
                              {"limits", plan::to_json(setup.limits)},
                              {"dataset", setup.dataset_hash},
                              {"seed", setup.seed}});
}

bool is_repeat_of(const decide::Setup& run, const decide::Setup& first) {
  return plan_of(run) == plan_of(first) && decide::is_one_machine(run, first) &&
         environment::changed_keys(run.system, first.system).empty();
}

Result<analyse::RunStatistics> statistics_of(store::RunStore& store, const std::string& id, bool keeps) {
  const Result<json::value> kept = store.document(id, kStatistics);
  if (!kept) return kept.error();
  if (auto statistics = analyse::statistics_from(*kept)) return std::move(*statistics);
  const Result<Measured> measured = read_measured(store, id);
  if (!measured) return measured.error();
  if (keeps) static_cast<void>(keep_statistics(store, *measured));  // next time is slower, that is all
  return analyse::statistics_of(measured->result, measured->analysis);
}

/// An arm needs a run that came to its end.
Result<decide::Arm> with_runs(Result<decide::Arm> arm, std::size_t all) {
  if (arm && arm->runs.empty())
    return Error{ErrorCode::invalid_argument, say(Msg::compare_no_finished, arm->name, all)};
  return arm;
}

}  // namespace

decide::Setup setup_of(const Measured& measured) {
  decide::Setup out;
  out.load = measured.plan;
  out.shape = measured.shape;
  out.limits = measured.options.limits;
  out.url = measured.subject.url;
  out.peer = measured.subject.peer;
  out.client = measured.subject.client;
  out.version = measured.subject.client_version;
  out.dataset = measured.subject.dataset.english;
  out.dataset_hash = measured.subject.dataset_hash;
  out.seed = measured.subject.seed;
  if (measured.subject.devices > 0)
    out.devices = static_cast<int>(measured.subject.devices);
  else if (measured.subject.price)
    out.devices = static_cast<int>(measured.subject.price->devices);
  out.system = measured.subject.system;
  return out;
}

decide::ArmRun arm_run_of(const Measured& measured) {
  return {measured.subject.run_id, measured.subject.anchor.wall,
          analyse::statistics_of(measured.result, measured.analysis)};
}

Result<decide::Arm> arm_of(store::RunStore& store, const std::string& name, const std::vector<store::RunInfo>& runs,
                           bool keeps) {
  decide::Arm arm;
  arm.name = name;
  for (const store::RunInfo& each : runs) {
    if (each.kind != "bench") return Error{ErrorCode::invalid_argument, say(Msg::runs_not_bench, each.id, each.kind)};
    if (each.status != store::RunStatus::finished) {
      ++arm.left_out;
      continue;
    }
    const Result<Measured> head = read_head(store, each.id);
    if (!head) return head.error();
    decide::Setup setup = setup_of(*head);
    if (arm.runs.empty()) arm.setup = setup;
    arm.is_one_plan = arm.is_one_plan && is_repeat_of(setup, arm.setup);
    Result<analyse::RunStatistics> statistics = statistics_of(store, each.id, keeps);
    if (!statistics) return statistics.error();
    arm.runs.push_back({each.id, each.started, std::move(*statistics)});
  }
  return arm;
}

Result<decide::Arm> read_arm(store::RunStore& store, const std::string& name, bool keeps) {
  Result<std::vector<store::RunInfo>> runs = store.find(name);
  if (!runs) return not_compared(store, name, std::move(runs.error()));
  keep_newest_set(*runs, name);
  return with_runs(arm_of(store, name, *runs, keeps), runs->size());
}

Result<decide::Arm> read_arm_of_bundle(const std::string& path) {
  Result<store::TemporaryStore> held = store::TemporaryStore::make(std::filesystem::temp_directory_path().string());
  if (!held) return held.error();
  if (const auto imported = store::import_bundle(held->store(), path); !imported) return imported.error();
  const auto runs = held->store().runs();
  if (!runs) return runs.error();
  std::set<std::string> sets;
  for (const store::RunInfo& each : *runs) sets.insert(each.set);
  if (sets.size() > 1) return Error{ErrorCode::invalid_argument, say(Msg::compare_bundle_of_sets, path, sets.size())};
  return with_runs(arm_of(held->store(), path, *runs, /*keeps=*/false), runs->size());
}

}  // namespace scoville::cli
