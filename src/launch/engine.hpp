#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "event/launch_record.hpp"
#include "launch/watchdog.hpp"

namespace scoville::launch {

/// What is to be started.
struct Plan {
  std::vector<std::string> words;  ///< program and arguments, places filled; the program is looked up in PATH
  std::map<std::string, std::string> variables;  ///< its whole environment
  std::string log;                               ///< file that takes what it says; what is in it already stays
  Nanos stop_grace = std::chrono::seconds(15);   ///< between TERM and KILL
  std::string shown;                             ///< the command as it may be told: without secrets
  /// Takes secrets out of lines of the log, before anybody is told them; empty: none.
  std::function<std::vector<std::string>(std::vector<std::string>)> censor;
};

/// How a process came to its end.
struct Exit {
  Instant at{};
  std::optional<int> code, signal;  ///< neither: somebody else collected it
};
/// "exit status 2", "signal 9 (Killed)".
std::string describe(const std::optional<int>& exit_code, const std::optional<int>& signal);

/// An engine in a session and process group of its own. It does not outlive its Engine: the destructor stops it, and
/// where we die without one (KILL), a Watchdog does.
///
/// States: *running* from start() on; *ended* once its first process has ended, by itself or not, which a thread of
/// ours notices at once; *stopped* after stop(), when none of its processes is left.
///
/// Its first process has to stay in the foreground: a command that goes into the background and comes back counts as
/// ended. Standard input is /dev/null; standard output and error go to the log. Called from one thread, but for exit().
class Engine {
 public:
  /// The error carries the program's name and the system's words. That it has been started does not mean that it
  /// serves.
  static Result<std::unique_ptr<Engine>> start(Plan plan);

  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  pid_t pid() const { return pid_; }
  Instant started() const { return started_; }  ///< just before its first process was made
  const Plan& plan() const { return plan_; }

  std::optional<Exit> exit() const;
  /// Waits for so long at the most. True if its first process has ended.
  bool has_ended_within(Nanos span) const;
  /// Of its log; none of what stood there before it was started.
  std::vector<std::string> log_tail() const;

  /// TERM to the group and to what left it, KILL to those that are still there after the grace. Whatever happens it
  /// comes back five seconds later at the most: what hangs in the kernel cannot be ended, and is counted. Only the
  /// first call does anything; later ones give the same answer.
  event::LaunchEnding stop();

 private:
  Engine(Plan plan, Watchdog watchdog) : plan_(std::move(plan)), watchdog_(std::move(watchdog)) {}
  Status spawn();
  void watch();
  std::vector<pid_t> wait_until_gone(Instant give_up) const;

  Plan plan_;
  std::optional<Watchdog> watchdog_;
  std::string mark_;
  std::uint64_t log_from_ = 0;
  pid_t pid_ = -1;
  int wake_ = -1;
  Instant started_{};
  std::optional<event::LaunchEnding> ending_;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::optional<Exit> exit_;
  std::thread watcher_;
};

}  // namespace scoville::launch
