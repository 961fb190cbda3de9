#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace scoville::environment {

/// Environment variables, as cli hands them over.
using Variables = std::map<std::string, std::string>;

/// What became of a program that was run.
struct CommandResult {
  enum class End { exited, not_found, not_started, timed_out };
  End end = End::not_found;
  int exit_code = -1;  ///< of `exited`; 128 + the signal where one ended it
  std::string output;  ///< standard output, the first bytes of it
  std::string errors;  ///< standard error, the same
  bool ok() const { return end == End::exited && exit_code == 0; }
};

struct CommandLimits {
  Nanos timeout = std::chrono::seconds(1);
  std::size_t most_bytes = 256 << 10;  ///< kept of each stream; the rest is read and dropped
};

/// Runs `path` with these arguments, standard input /dev/null, in a process group of its own.
///
/// Comes back whatever the program does, at most half a second after the time-out: the group gets TERM, then KILL; what
/// cannot be killed (a driver call that never returns) is left behind, and so is a grandchild that keeps our pipes open
/// after the program itself has ended. Such a program counts as ended if it said something, as timed out if it did not.
CommandResult run_program(const std::string& path, const std::vector<std::string>& arguments,
                          const Variables& variables, const CommandLimits& limits);

/// Where fingerprints get their answers from; tests have a fake. Called from several threads at once.
class ToolRunner {
 public:
  virtual ~ToolRunner() = default;
  /// `words` is the program's name and its arguments.
  virtual CommandResult run(const std::vector<std::string>& words) const = 0;
};

/// The programs of this machine: looked up in PATH, then where vendors put them without saying so.
class SystemTools final : public ToolRunner {
 public:
  SystemTools(Variables variables, CommandLimits limits);
  CommandResult run(const std::vector<std::string>& words) const override;

 private:
  std::string find(const std::string& name) const;  // "": nowhere
  Variables variables_;
  CommandLimits limits_;
};

}  // namespace scoville::environment
