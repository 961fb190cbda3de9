#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/launched_engine.hpp"
#include "cli/load_options.hpp"
#include "cli/measured.hpp"
#include "cli/store_options.hpp"
#include "cli/system_options.hpp"
#include "cli/target_options.hpp"
#include "load/dialect.hpp"
#include "record/memory_blocks.hpp"
#include "run/preflight.hpp"

namespace scoville::cli {

/// A server made ready for a load, that is then run against it as often as wanted. Each run is stored while it goes on,
/// unless that is not wanted.
///
/// Errors are complete sentences; ErrorCode::invalid_argument means that a flag was at fault.
class Session {
 public:
  /// Opens the store (what is wrong with it shows before the load, not after it) and waits for the server.
  /// `system`: empty asks nobody what is measured. `launched`: an engine to be started once the store is open; null:
  /// the server is somebody else's. All of them must outlive the session.
  static Result<Session> open(const TargetOptions& target, LoadOptions& load, const StoreOptions& options,
                              const std::optional<SystemOptions>& system, LaunchedEngine* launched = nullptr);

  /// Stops the engine that we started, starts it anew, and makes it ready.
  Status relaunch();
  /// The next runs are of this load, on the server as it is; `load` must outlive them. `makes_prompts`: its prompts are
  /// others than those of the load before, and are made anew.
  Status turn_to(LoadOptions& load, bool makes_prompts);
  /// Stops it, and keeps how it ended with every run that was measured on it; `subjects` are told, too. Nothing happens
  /// where there is none.
  void end_engine(const std::vector<report::BenchSubject*>& subjects);
  /// The engine that we started has ended, and nobody had asked it to: how. To be asked before end_engine().
  std::optional<Error> engine_loss(Nanos patience = Nanos::zero()) const {
    return launched_ ? launched_->loss(patience) : std::nullopt;
  }

  /// One run, on the same schedule each time, with prompts that no cache has seen. `set`: id of the set it belongs to,
  /// or empty. Where the store cannot take all of it, the result is whole all the same, and `storage_fault()` tells.
  Result<Measured> measure(const std::string& set, bool shows_progress);

  const std::optional<Error>& storage_fault() const { return storage_fault_; }
  store::RunStore* store() { return store_ ? &*store_ : nullptr; }
  void set_price(std::optional<analyse::Price> price, std::size_t devices) {
    price_ = std::move(price);
    devices_ = devices;
  }
  /// What the store calls its runs from now on; "bench" unless told otherwise.
  void set_kind(std::string kind) { kind_ = std::move(kind); }
  /// All that is known of a run before it begins.
  Measured prepared() const;
  const run::ReadyServer& server() const { return server_; }

 private:
  /// A run on the engine that we started, until that engine is stopped.
  struct RunOnEngine {
    std::string id;
    Instant start{}, end{};
  };

  Session() = default;
  Status reach_server();
  Status make_ready(bool is_first);
  Status learn_system(const SystemOptions& options, const std::string& base_path);
  Result<run::RunResult> load(const Measured& measured, record::CommitSink& sink, record::MemoryBlocks& rest,
                              bool shows_progress);

  const TargetOptions* target_ = nullptr;
  LoadOptions* load_options_ = nullptr;
  std::optional<SystemOptions> system_options_;
  LaunchedEngine* launched_ = nullptr;
  std::vector<RunOnEngine> runs_on_engine_;
  std::string tag_, kind_ = "bench";
  std::unique_ptr<load::Dialect> dialect_;
  std::shared_ptr<const analyse::Calibration> calibration_;
  std::optional<store::RunStore> store_;
  run::ReadyServer server_;
  event::Fingerprint system_;
  std::optional<analyse::Price> price_;
  std::size_t devices_ = 0;
  std::optional<Error> storage_fault_;
};

}  // namespace scoville::cli
