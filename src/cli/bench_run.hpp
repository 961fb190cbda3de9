#pragma once

#include "cli/command.hpp"
#include "cli/launch_options.hpp"
#include "cli/load_options.hpp"
#include "cli/outputs.hpp"
#include "cli/price_options.hpp"
#include "cli/session.hpp"
#include "cli/store_options.hpp"
#include "cli/system_options.hpp"
#include "cli/target_options.hpp"

namespace scoville::cli {

/// A measured load, once or repeated, from its flags to its report: what `bench` does, and `quickstart` with a server
/// of its own.
struct BenchRun {
  TargetOptions& target;
  LoadOptions& load;
  const StoreOptions& store;
  const SystemOptions& system;
  const PriceOptions& price;
  const OutputOptions& outputs;
  bool as_json = false;
  bool fails_on_instrument = false;
  std::size_t repeats = 1;
  bool shows_checklist = false;           ///< the report of a set begins with it
  const LaunchOptions* launch = nullptr;  ///< an engine to be started; null, or not wanted: there is a server

  Exit run() const;

 private:
  Exit measure_one(Session& session) const;
  Exit measure_set(Session& session) const;
  /// What is to be said of a run on standard error, and what it means for the exit code.
  void explain_failures(const Measured& measured) const;
  Exit exit_of(const analyse::Analysis& analysis, const report::BenchSubject& subject) const;
  Result<Measured> next_of_set(Session& session, const std::string& set, bool is_first) const;
};

}  // namespace scoville::cli
