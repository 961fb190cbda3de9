#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/plan.hpp"

namespace scoville::evaluate {

/// One command that the evaluation runs, as anybody could by hand.
struct Step {
  std::string id;  ///< "serving chat h20 910b": one of its kind in a plan
  Stage stage = Stage::serving;
  std::string workload, candidate;  ///< names; empty where it is about no one of them
  /// Words behind "scoville", but for --store. Where an engine of ours has no address yet, url_of(system).
  std::vector<std::string> words;
  std::vector<std::size_t> live;       ///< systems that must answer while it runs, by their place in the plan
  std::size_t runs = 0, requests = 0;  ///< requests of each run; 0: not known
  std::optional<Nanos> estimate;       ///< how long it takes at least; empty: the server decides
  std::vector<std::string> tags;       ///< under which its runs are found: of the baseline, then of the candidate
};

/// Stands for the address of a system until it is known.
std::string url_of(const System& system);

/// Why something that belongs to the evaluation is not measured by it.
enum class WhyNot {
  other_version,  ///< no stage of this version measures it: it is brought by `results:`
  not_live,       ///< a side of it has stored runs only, or cannot run beside the other
  no_workload,    ///< the plan names no load
  one_system,     ///< there is nothing to compare it with
};
std::string_view name_of(WhyNot why);
struct NotRun {
  Stage stage = Stage::serving;
  std::string candidate;  ///< empty: of all
  WhyNot why = WhyNot::other_version;
};

/// What is run, in order, and what is not.
struct Agenda {
  std::vector<Step> steps;
  std::vector<NotRun> not_run;
  std::string key;  ///< of the plan's measured part: the tags carry it, so that a changed plan does not find old runs
};

Agenda make_agenda(const Plan& plan);

/// Under which name the runs of a system under that workload are found: made before, or by a step. Empty: nowhere.
std::string runs_of(const Plan& plan, const Agenda& agenda, const Workload& workload, std::size_t system);

/// The same plan, small enough for a rehearsal: two pairs of a few requests, against endpoints that speak OpenAI's
/// chat.
Plan rehearsal_of(Plan plan);

/// The tag under which the runs of a workload are found: "what-c1d2e3f4-chat-910b-a".
std::string tag_of(const Plan& plan, const std::string& key, const Workload& workload, const System& candidate);

/// The words that ask for a load, in the flags of `bench` and `duel`.
std::vector<std::string> load_words(const Workload& workload);

/// The words that start an engine, in the flags of `bench`.
std::vector<std::string> launch_words(const LaunchWords& launch);

/// As it is typed into a shell.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace scoville::evaluate
