#include "launch/engine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/clock.hpp"
#include "launch/log_tail.hpp"
#include "launch/processes.hpp"
#include "text/catalogue.hpp"

namespace scoville::launch {
namespace {

using text::Msg;
using text::say;

constexpr Nanos kKillGrace = std::chrono::seconds(5);   // then it is left to the kernel
constexpr Nanos kTurn = std::chrono::milliseconds(20);  // between two looks at who is still there
constexpr int kTurnWithoutPidfd = 20;                   // ms, kernels before 5.3

std::string new_mark() {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}-{}-{}", getpid(), wall_now().count(), ++count);
}

bool is_program(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && access(path.c_str(), X_OK) == 0;
}

/// As execvp does it, but with the PATH that the engine is given.
std::string find_program(const std::string& name, const std::map<std::string, std::string>& variables) {
  if (name.find('/') != std::string::npos) return name;
  const auto path = variables.find("PATH");
  std::string_view folders = path == variables.end() ? "/usr/local/bin:/usr/bin:/bin" : std::string_view(path->second);
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::string at = fmt::format("{}/{}", end == 0 ? "." : folders.substr(0, end), name);
    if (is_program(at)) return at;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return "";
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& each : words) out.push_back(const_cast<char*>(each.c_str()));
  out.push_back(nullptr);
  return out;
}

/// A session of its own, no signal blocked or ignored that we block or ignore, no descriptor but these three.
int spawn_program(const std::string& program, const std::vector<std::string>& words,
                  const std::vector<std::string>& settings, int log, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, log, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int fault =
      posix_spawn(&pid, program.c_str(), &actions, &attributes, pointers(words).data(), pointers(settings).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return fault;
}

int open_pidfd(pid_t pid) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
#else
  static_cast<void>(pid);
  return -1;
#endif
}

/// Empty while it runs.
std::optional<Exit> exit_of(pid_t pid, Instant at) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno == EINTR) return std::nullopt;
    return Exit{at, {}, {}};
  }
  if (info.si_pid != pid) return std::nullopt;
  if (info.si_code == CLD_EXITED) return Exit{at, info.si_status, {}};
  return Exit{at, {}, info.si_status};
}

}  // namespace

std::string describe(const std::optional<int>& exit_code, const std::optional<int>& signal) {
  if (signal) return say(Msg::launch_ended_signal, *signal, strsignal(*signal));
  return exit_code ? say(Msg::launch_ended_code, *exit_code) : say(Msg::launch_ended_unknown);
}

Result<std::unique_ptr<Engine>> Engine::start(Plan plan) {
  Result<Watchdog> watchdog = Watchdog::start(plan.stop_grace);
  if (!watchdog) return watchdog.error();
  std::unique_ptr<Engine> engine(new Engine(std::move(plan), std::move(*watchdog)));
  if (Status spawned = engine->spawn(); !spawned) return spawned.error();
  return engine;
}

Status Engine::spawn() {
  mark_ = new_mark();
  const int log = open(plan_.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) return Error{ErrorCode::io, say(Msg::launch_log_fails, plan_.log, std::strerror(errno))};
  const off_t end = lseek(log, 0, SEEK_END);
  log_from_ = end > 0 ? static_cast<std::uint64_t>(end) : 0;
  const std::string program = find_program(plan_.words.front(), plan_.variables);
  std::vector<std::string> settings;
  for (const auto& [name, value] : plan_.variables) settings.push_back(fmt::format("{}={}", name, value));
  settings.push_back(fmt::format("{}={}", kMarkName, mark_));
  wake_ = eventfd(0, EFD_CLOEXEC);
  started_ = now();
  const int fault = program.empty() ? ENOENT : spawn_program(program, plan_.words, settings, log, pid_);
  close(log);
  if (fault != 0) {
    pid_ = -1;
    return Error{ErrorCode::not_found, say(Msg::launch_not_started, plan_.words.front(), std::strerror(fault))};
  }
  watchdog_->guard(pid_);
  watcher_ = std::thread([this] { watch(); });
  return Done{};
}

/// Notes how the first process ended, and leaves it uncollected: as long as it is there nobody else can be given its
/// number, so that what is signalled when the engine is stopped, an hour after a crash perhaps, is still its own group.
void Engine::watch() {
  const int pidfd = open_pidfd(pid_);
  std::array<pollfd, 2> ready{pollfd{pidfd, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
  for (;;) {
    poll(ready.data(), ready.size(), pidfd >= 0 ? -1 : kTurnWithoutPidfd);
    const Instant at = now();
    if (const std::optional<Exit> found = exit_of(pid_, at)) {
      const std::lock_guard lock(mutex_);
      exit_ = found;
      changed_.notify_all();
      break;
    }
    if (ready[1].revents != 0) break;
  }
  if (pidfd >= 0) close(pidfd);
}

std::optional<Exit> Engine::exit() const {
  const std::lock_guard lock(mutex_);
  return exit_;
}

bool Engine::has_ended_within(Nanos span) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, span, [this] { return exit_.has_value(); });
}

std::vector<std::string> Engine::log_tail() const {
  std::vector<std::string> lines = last_lines(plan_.log, log_from_);
  return plan_.censor ? plan_.censor(std::move(lines)) : lines;
}

/// Those that are left then.
std::vector<pid_t> Engine::wait_until_gone(Instant give_up) const {
  for (;;) {
    std::vector<pid_t> left = living_processes(pid_, mark_);
    if (left.empty() || now() >= give_up) return left;
    if (exit())
      std::this_thread::sleep_for(kTurn);
    else
      has_ended_within(kTurn);
  }
}

event::LaunchEnding Engine::stop() {
  using How = event::LaunchEnding::How;
  if (ending_) return *ending_;
  event::LaunchEnding& ending = ending_.emplace();
  const Instant asked = now();
  const bool had_ended = exit().has_value();
  if (had_ended) {
    ending.how = How::by_itself;
    ending.log_tail = log_tail();
  }
  std::vector<pid_t> left = living_processes(pid_, mark_);
  if (!left.empty()) {
    signal_processes(pid_, left, SIGTERM);
    left = wait_until_gone(asked + plan_.stop_grace);
  }
  if (!left.empty()) {
    const bool kills_first = !exit();
    if (kills_first) ending.how = How::killed;
    ending.killed_others = static_cast<std::int64_t>(left.size()) - (kills_first ? 1 : 0);
    signal_processes(pid_, left, SIGKILL);
    left = wait_until_gone(now() + kKillGrace);
  }
  ending.survivors = static_cast<std::int64_t>(left.size());
  has_ended_within(left.empty() ? kKillGrace : Nanos::zero());
  const std::optional<Exit> exit = this->exit();
  ending.at = exit ? exit->at : now();
  if (exit) ending.exit_code = exit->code, ending.signal = exit->signal;
  ending.stop_took = now() - asked;
  if (exit) waitpid(pid_, nullptr, WNOHANG);
  if (left.empty()) watchdog_.reset();
  return ending;
}

Engine::~Engine() {
  if (pid_ > 0) stop();
  if (wake_ >= 0) {
    const std::uint64_t one = 1;
    static_cast<void>(write(wake_, &one, sizeof one) > 0);
  }
  if (watcher_.joinable()) watcher_.join();
  if (wake_ >= 0) close(wake_);
}

}  // namespace scoville::launch
