#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "config/node.hpp"
#include "matrix/matrix.hpp"
#include "plan/dialect.hpp"
#include "plan/slo.hpp"

namespace scoville::evaluate {

/// Who decides: it changes what a plan asks for, never how a figure is judged.
enum class Who { small_team, own_infrastructure, single_developer, vendor };
const std::vector<std::string>& names_of_who();  ///< "small-team", …: in the order of Who

/// The parts of an evaluation, in the order in which they are gone through: what comes first is cheaper, and what it
/// finds may spare the rest. Inference before fine-tuning before training.
enum class Stage { readiness, device, operators, correctness, serving, scaling, energy, stability, lora, training };
const std::vector<std::string>& names_of_stages();
/// Whether this version can measure it itself. What it cannot is brought by `results:`.
bool is_measured_here(Stage stage);

/// How an engine is started that nobody runs yet: the words of `bench`.
struct LaunchWords {
  std::string command, preset;  ///< one of them; both empty: there is a server
  std::string ready;            ///< path that answers 2xx once it is ready; empty: /health, or the preset's
  std::vector<std::pair<std::string, std::string>> settings, variables;
  std::vector<std::string> arguments;
  bool any() const { return !command.empty() || !preset.empty(); }
};

/// One of the systems to decide between. The first of a plan is the baseline.
struct System {
  std::string name, endpoint, model, fingerprint, model_path, api_key_file;  ///< empty: not said
  plan::Dialect dialect = plan::Dialect::openai;
  std::size_t devices = 0;  ///< how many serve; 0: not said
  std::vector<std::pair<std::string, std::string>> engine_args;
  LaunchWords launch;
  bool is_alone = false;                     ///< its engine cannot run beside another one
  std::map<std::string, std::string> runs;   ///< by workload: a tag, a set or a bundle measured before
  std::vector<matrix::KnockOut> knock_outs;  ///< of the supply, or of what it must be able to do
};

/// A model of the evaluation: one's own, or one that others publish figures of.
struct Model {
  std::string name;
  bool is_own = false;
};

/// One load, with the limits it is to keep.
struct Workload {
  std::string name, model, scenario, input, output, dataset;
  bool is_pilot = false;  ///< a named pilot scenario: a missed one blocks adoption
  std::optional<std::size_t> requests, concurrency;
  std::optional<double> rate;  ///< requests per second
  std::optional<Nanos> duration;
  bool ignores_eos = false;
  std::vector<plan::Slo> slos;     ///< at P95 or P99
  std::vector<std::string> flags;  ///< more words for `duel` and `bench`
};

/// How correctness is looked at: the words of `probe correctness`.
struct Correctness {
  std::string tasks, prompts;
  std::optional<std::size_t> num_prompts, max_tokens, concurrency;
  std::optional<double> accuracy_target, agreement_target;
};

/// A figure of a row that was found elsewhere, by whoever says so.
struct BroughtResult {
  std::string system, row, measure, unit, source, date;
  double value = 0;
  std::optional<double> low, high;
  std::size_t n = 0;
  bool is_exact = false;  ///< a count, not a sample: it needs no interval
};

/// A statement of somebody, and whether this evaluation measures what it is about.
struct ClaimFile {
  std::string path;                 ///< from the folder of the plan
  std::string candidate, workload;  ///< empty: it is only held against what it says itself
};

struct Dissent {
  std::string who, words;
};

/// What is to be decided, and from what. Immutable once read.
struct Plan {
  std::string name, question, where;  ///< where: the file
  Who who = Who::own_infrastructure;
  std::size_t expires_days = 90, pairs = 8, repeats = 5;
  std::vector<System> systems;
  std::vector<Model> models;
  std::vector<Workload> workloads;
  std::vector<Stage> stages;  ///< in their order
  Correctness correctness;
  std::vector<std::string> subject, allow;  ///< of the gate
  std::vector<BroughtResult> results;
  std::vector<Dissent> dissents;
  matrix::Template form;
  std::vector<std::string> required;  ///< rows of the matrix that the decision rests on
  std::map<std::string, matrix::Target> targets;
  std::vector<ClaimFile> claims;
  bool has_cost = false, has_migration = false;  ///< parts that have readers of their own
  std::string migration_log;  ///< of `scoville next`, from the folder of the plan: booked days replace the ranges
  std::string cost_workload;  ///< whose throughput is priced; empty: the first with limits, else the first

  const Workload* find_workload(const std::string& workload) const;
  bool has(Stage stage) const;
};

/// Reads `root` but for `cost:` and `migration:`, which have readers of their own (docs/formats/evaluation.md). Faults
/// are noted at `root`; what names something that is not there is one.
Plan read_plan(const config::Node& root);

}  // namespace scoville::evaluate
