#include "base/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "base/clock.hpp"

extern char** environ;

namespace scoville {

namespace {

/// Null: as ours.
Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments, const char* output,
                    const char* errors) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (output) posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0644);
  if (errors) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, flags, 0644);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error{ErrorCode::io, fmt::format("{}: {}", program, std::strerror(failed))};
  return pid;
}

}  // namespace

Result<Child> Child::start(const std::string& program, const std::vector<std::string>& arguments, Words words) {
  const Result<pid_t> pid = spawn(program, arguments, "/dev/null", words == Words::nowhere ? "/dev/null" : nullptr);
  if (!pid) return pid.error();
  return Child(*pid);
}

Result<Child> Child::start_into(const std::string& program, const std::vector<std::string>& arguments,
                                const std::string& output, const std::string& errors) {
  const Result<pid_t> pid = spawn(program, arguments, output.c_str(), errors.c_str());
  if (!pid) return pid.error();
  return Child(*pid);
}

Result<Child> Child::start_shown(const std::string& program, const std::vector<std::string>& arguments) {
  const Result<pid_t> pid = spawn(program, arguments, nullptr, nullptr);
  if (!pid) return pid.error();
  return Child(*pid);
}

Result<Child> Child::start_keeping(const std::string& program, const std::vector<std::string>& arguments,
                                   const std::string& output) {
  const Result<pid_t> pid = spawn(program, arguments, output.c_str(), nullptr);
  if (!pid) return pid.error();
  return Child(*pid);
}

Result<Child> Child::start_talking(const std::string& program, const std::vector<std::string>& arguments, int& to,
                                   int& from) {
  std::array<int, 2> in{-1, -1}, out{-1, -1};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) {
    return Error{ErrorCode::resource, fmt::format("{}: {}", program, std::strerror(errno))};
  }
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  to = in[1];
  from = out[0];
  if (failed == 0) return Child(pid);
  close(to);
  close(from);
  return Error{ErrorCode::io, fmt::format("{}: {}", program, std::strerror(failed))};
}

Child::Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)), status_(other.status_) {}

Child::~Child() { stop(std::chrono::seconds(2)); }

bool Child::is_running() {
  if (pid_ <= 0) return false;
  int how = 0;
  const pid_t ended = waitpid(pid_, &how, WNOHANG);
  if (ended == 0) return true;
  status_ = ended < 0 ? 1 : WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
  pid_ = -1;
  return false;
}

void Child::stop(Nanos grace) {
  if (!is_running()) return;
  kill(pid_, SIGTERM);
  const Instant give_up = now() + grace;
  while (is_running()) {
    if (now() > give_up) kill(pid_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace scoville
