#pragma once

#include <string>
#include <vector>

#include "analyse/analysis.hpp"
#include "analyse/unit_cost.hpp"
#include "base/json.hpp"
#include "dataset/warning.hpp"
#include "event/fingerprint.hpp"
#include "event/launch_record.hpp"
#include "plan/bench_plan.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {

/// What a bench report is about, beside its numbers.
struct BenchSubject {
  std::string run_id, tag, url, peer;
  text::Phrase dataset;
  std::string token_method;
  bool prompt_length_is_exact = false;
  std::uint64_t dataset_hash = 0, seed = 0;
  ClockAnchor anchor;
  std::vector<dataset::Warning> warnings;  ///< of the preflight
  std::optional<Nanos> dns;
  std::string set;            ///< id of the set this run belongs to; empty: a run alone
  event::Fingerprint system;  ///< what is known of what was measured; empty: nobody asked
  std::optional<analyse::Price> price;
  std::size_t devices = 0;                    ///< that were said to work; 0: nobody said
  std::string client;                         ///< the machine that made the load, without its name; empty: an older run
  std::string client_version;                 ///< of the program that made the load
  std::optional<event::LaunchRecord> launch;  ///< of an engine that we started
};

/// The run as one object: docs/formats/run.md.
json::object bench_json(const analyse::Analysis& analysis, const plan::LoadPlan& plan, const plan::RequestShape& shape,
                        const BenchSubject& subject);

/// The same for a terminal: read at a glance, ending in one sentence on what the figures hold for.
std::string bench_table(const analyse::Analysis& analysis, const plan::LoadPlan& plan, const plan::RequestShape& shape,
                        const BenchSubject& subject);

/// All warnings in words: those of the preflight, of the prompts, of the analysis.
std::vector<dataset::Warning> all_warnings(const analyse::Analysis& analysis, const BenchSubject& subject);

/// "open loop, Poisson, 20 requests/s", "closed loop, 16 in flight".
std::string describe_load(const plan::LoadPlan& plan);
/// The code of the same in the JSON: open, closed, open_capped, unlimited.
std::string_view load_kind(const plan::LoadPlan& plan);

}  // namespace scoville::report
