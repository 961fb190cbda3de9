#include "environment/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <thread>
#include <utility>

#include "base/clock.hpp"

namespace scoville::environment {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTurn{5};         // how often the program is asked whether it has ended
constexpr milliseconds kTermGrace{100};  // between TERM and KILL
constexpr milliseconds kKillGrace{200};  // then it is left behind

/// Our end of a pipe; the other one is the program's.
class Stream {
 public:
  explicit Stream(std::string& into, std::size_t most) : into_(into), most_(most) {
    if (pipe2(ends_.data(), O_CLOEXEC) == 0) fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    close_end(0);
    close_end(1);
  }

  bool is_open() const { return ends_[0] >= 0; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() { close_end(1); }

  /// Takes what has come; the pipe is closed at its end.
  void take() {
    char block[16384];
    for (int turn = 0; turn < 64; ++turn) {  // a program that never stops writing must not keep us here
      const ssize_t n = read(ends_[0], block, sizeof block);
      if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (n <= 0) return close_end(0);
      into_.append(block, std::min(static_cast<std::size_t>(n), most_ - std::min(most_, into_.size())));
    }
  }

 private:
  void close_end(std::size_t which) {
    if (ends_[which] >= 0) close(std::exchange(ends_[which], -1));
  }

  std::string& into_;
  std::size_t most_;
  std::array<int, 2> ends_{-1, -1};
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& each : words) out.push_back(const_cast<char*>(each.c_str()));
  out.push_back(nullptr);
  return out;
}

pid_t spawn(const std::string& path, const std::vector<std::string>& arguments, const Variables& variables, int out,
            int err) {
  std::vector<std::string> words{path}, settings;
  words.insert(words.end(), arguments.begin(), arguments.end());
  for (const auto& [name, value] : variables) settings.push_back(fmt::format("{}={}", name, value));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  const int failed =
      posix_spawn(&pid, path.c_str(), &actions, &attributes, pointers(words).data(), pointers(settings).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? pid : -1;
}

/// The program that was started, until it has been collected.
class Process {
 public:
  explicit Process(pid_t pid) : pid_(pid) {}

  bool has_ended() {
    int status = 0;
    if (!has_ended_ && waitpid(pid_, &status, WNOHANG) == pid_) {
      has_ended_ = true;
      exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return has_ended_;
  }
  int exit_code() const { return exit_code_; }

  /// TERM, then KILL, to all of the group. Whoever survives that hangs in the kernel and is left to it.
  void end() {
    kill(-pid_, SIGTERM);
    wait(kTermGrace);
    kill(-pid_, SIGKILL);
    wait(kKillGrace);
  }

 private:
  void wait(Nanos span) {
    for (const Instant give_up = now() + span; !has_ended() && now() < give_up;) std::this_thread::sleep_for(kTurn);
  }

  pid_t pid_;
  bool has_ended_ = false;
  int exit_code_ = -1;
};

/// Until the program has ended and closed its pipes, or the time is over. True if it was over.
bool attend(Process& process, Stream& out, Stream& err, Nanos timeout) {
  const Instant give_up = now() + timeout;
  while (!process.has_ended() || out.is_open() || err.is_open()) {
    if (now() >= give_up) return true;
    std::array<pollfd, 2> ready{pollfd{out.reader(), POLLIN, 0}, pollfd{err.reader(), POLLIN, 0}};
    if (!out.is_open() && !err.is_open()) {
      std::this_thread::sleep_for(kTurn);
    } else {
      poll(ready.data(), ready.size(), static_cast<int>(kTurn.count()));
    }
    if (ready[0].revents) out.take();
    if (ready[1].revents) err.take();
  }
  return false;
}

bool is_program(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

CommandResult run_program(const std::string& path, const std::vector<std::string>& arguments,
                          const Variables& variables, const CommandLimits& limits) {
  CommandResult result;
  Stream out(result.output, limits.most_bytes), err(result.errors, limits.most_bytes);
  const pid_t pid = out.is_open() && err.is_open() ? spawn(path, arguments, variables, out.writer(), err.writer()) : -1;
  if (pid < 0) {
    result.end = CommandResult::End::not_started;
    return result;
  }
  out.close_writer();
  err.close_writer();
  Process process(pid);
  const bool is_late = attend(process, out, err, limits.timeout);
  if (is_late && (!process.has_ended() || result.output.empty())) {
    result.end = CommandResult::End::timed_out;
  } else {
    result.end = CommandResult::End::exited;
    result.exit_code = process.exit_code();
  }
  if (is_late) process.end();
  return result;
}

SystemTools::SystemTools(Variables variables, CommandLimits limits)
    : variables_(std::move(variables)), limits_(limits) {
  variables_["LC_ALL"] = std::string("C");  // answers are read by their English words
}

std::string SystemTools::find(const std::string& name) const {
  std::string_view folders = variables_.count("PATH") ? std::string_view(variables_.at("PATH")) : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::string path = fmt::format("{}/{}", folders.substr(0, end), name);
    if (end > 0 && is_program(path)) return path;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  for (const char* folder : {"/usr/local/sbin", "/usr/local/bin", "/opt/rocm/bin", "/opt/hyhal/bin",
                             "/opt/mxdriver/bin", "/usr/local/corex/bin", "/opt/aws/neuron/bin"}) {
    const std::string path = fmt::format("{}/{}", folder, name);
    if (is_program(path)) return path;
  }
  return "";
}

CommandResult SystemTools::run(const std::vector<std::string>& words) const {
  const std::string path = find(words.front());
  if (path.empty()) return {};
  return run_program(path, {words.begin() + 1, words.end()}, variables_, limits_);
}

}  // namespace scoville::environment
