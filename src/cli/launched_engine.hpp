#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/launch_options.hpp"
#include "event/fingerprint.hpp"
#include "event/launch_record.hpp"
#include "launch/engine.hpp"

namespace scoville::cli {

/// The engine of a command that starts one: from its flags to a server that is ready, and to its end. Whatever ends the
/// command, the engine is stopped with it.
class LaunchedEngine {
 public:
  /// All three must outlive it. Nothing is started yet.
  LaunchedEngine(const LaunchOptions& options, TargetOptions& target, const StoreOptions& store)
      : options_(options), target_(target), store_(store) {}

  /// Starts it and waits until it is ready, telling on standard error what goes on. An engine that was there before is
  /// stopped first. `target` then has its address, which stays the same over all starts.
  Status start();

  /// When the first token of the first generation came.
  void take_first_token(Moment at);
  /// What was started, and how that went so far.
  const event::LaunchRecord& record() const { return record_; }
  /// The same for the fingerprint.
  event::Fingerprint fields() const;
  /// How it ended, in one line; null while it runs. `patience`: waits so long at the most for its end, where something
  /// says that it may be ending: a connection is refused before its first process has ended.
  std::optional<Error> loss(Nanos patience = Nanos::zero()) const;

  /// `error` as it is while the engine runs. Where it has ended, that is the cause: told in its place, its last lines
  /// shown.
  Error explain(Error error) const;

  event::LaunchEnding stop();

 private:
  Result<launch::Plan> make_plan();
  void note(const launch::Plan& plan);
  void show_tail() const;

  const LaunchOptions& options_;
  TargetOptions& target_;
  const StoreOptions& store_;
  std::unique_ptr<launch::Engine> engine_;
  event::LaunchRecord record_;
  bool has_started_ = false;
};

}  // namespace scoville::cli
