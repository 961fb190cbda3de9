#include "launch/watchdog.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include "text/catalogue.hpp"

namespace scoville::launch {
namespace {

constexpr char kDone = 'd', kGuard = 'g';

// What follows runs in the child of a process that may have threads: only async-signal-safe calls.

void close_from(unsigned first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const auto most = static_cast<unsigned>(std::min<rlim_t>(limit.rlim_cur, 1 << 16));
  for (unsigned each = first; each < most; ++each) close(static_cast<int>(each));
}

/// Nothing of ours stays open but the pipe: not the store, not the terminal that somebody reads to its end.
void let_go_of_everything(int pipe) {
  setsid();
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(each, SIG_IGN);
  dup2(pipe, STDIN_FILENO);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  close_from(3);
  prctl(PR_SET_NAME, "scoville-guard");
  static_cast<void>(chdir("/") == 0);
}

ssize_t read_all(void* into, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = read(STDIN_FILENO, static_cast<char*>(into) + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n;
    done += static_cast<std::size_t>(n);
  }
  return static_cast<ssize_t>(done);
}

void end_group(pid_t group, long turns) {
  const timespec turn{0, 20'000'000};
  kill(-group, SIGTERM);
  for (long i = 0; i < turns && kill(-group, 0) == 0; ++i) nanosleep(&turn, nullptr);
  kill(-group, SIGKILL);
}

[[noreturn]] void keep_watch(int pipe, long turns) {
  let_go_of_everything(pipe);
  pid_t group = 0;
  for (char word = 0; read_all(&word, 1) == 1;) {
    if (word == kDone) _exit(0);
    if (word == kGuard && read_all(&group, sizeof group) <= 0) break;
  }
  if (group > 1) end_group(group, turns);
  _exit(0);
}

}  // namespace

Result<Watchdog> Watchdog::start(Nanos grace) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return Error{ErrorCode::resource, text::say(text::Msg::launch_no_watchdog, std::strerror(errno))};
  const long turns = static_cast<long>(grace / std::chrono::milliseconds(20));
  const pid_t pid = fork();
  if (pid == 0) keep_watch(ends[0], turns);
  const int fault = errno;
  close(ends[0]);
  if (pid > 0) return Watchdog(pid, ends[1]);
  close(ends[1]);
  return Error{ErrorCode::resource, text::say(text::Msg::launch_no_watchdog, std::strerror(fault))};
}

Watchdog::Watchdog(Watchdog&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pipe_(std::exchange(other.pipe_, -1)) {}

Watchdog::~Watchdog() {
  if (pid_ <= 0) return;
  static_cast<void>(write(pipe_, &kDone, 1) == 1);
  close(pipe_);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Watchdog::guard(pid_t group) {
  std::array<char, 1 + sizeof group> message{kGuard};
  std::memcpy(message.data() + 1, &group, sizeof group);
  static_cast<void>(write(pipe_, message.data(), message.size()) > 0);
}

}  // namespace scoville::launch
