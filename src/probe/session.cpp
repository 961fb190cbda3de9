#include "probe/session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/json_text.hpp"

extern char** environ;

namespace scoville::probe {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostSaid = 64 << 10;
constexpr std::size_t kMostLine = 64 << 20;
constexpr milliseconds kTurn{50};  // how often `stop` is looked at
constexpr milliseconds kGrace{500};

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }
  int keep(int which) { return std::exchange(ends[static_cast<std::size_t>(which)], -1); }
};

/// In the child, between fork and exec: only what is async-signal-safe.
[[noreturn]] void become(char* const* argv, char* const* variables, int in, int out, int errors, int report,
                         pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  execvpe(argv[0], argv, variables);
  const int why = errno;
  [[maybe_unused]] const ssize_t told = write(report, &why, sizeof why);
  _exit(127);
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Our own variables, these put over them.
std::vector<std::string> with(const std::vector<std::pair<std::string, std::string>>& over) {
  std::vector<std::string> all;
  for (char** each = environ; each && *each; ++each) {
    const std::string_view line(*each);
    const bool is_hidden = std::ranges::any_of(over, [&](const auto& one) {
      return line.starts_with(one.first) && line.substr(one.first.size()).starts_with('=');
    });
    if (!is_hidden) all.emplace_back(line);
  }
  for (const auto& [name, value] : over) all.push_back(name + "=" + value);
  return all;
}

/// What a dying probe said last: mostly why.
std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1).substr(0, 200));
}

std::size_t count_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_number() ? static_cast<std::size_t>(std::max(0.0, value->to_number<double>())) : 0;
}

Fault fault_in(const json::value& error) {
  if (!error.is_object()) return {Reason::failed, "the probe answered with an error that is no object"};
  const std::string name = text_in(error.as_object(), "reason");
  return {reason_named(name).value_or(Reason::failed), text_in(error.as_object(), "message")};
}

}  // namespace

Fault death_by(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return {Reason::crash,
            fmt::format("the probe was ended by {}", sigdescr_np(signal) ? sigdescr_np(signal) : "a signal")};
  }
  return {Reason::crash, fmt::format("the probe ended without an answer (exit status {})", WEXITSTATUS(wait_status))};
}

Session::~Session() { end(false); }

Status Session::start() {
  Pipe in, out, errors, report;
  if (report.ends[0] < 0) return Error{ErrorCode::resource, std::strerror(errno)};
  std::vector<char*> argv = pointers_to(words_);
  std::vector<std::string> variables = with(variables_);
  std::vector<char*> environment = pointers_to(variables);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0)
    become(argv.data(), environment.data(), in.ends[0], out.ends[1], errors.ends[1], report.ends[1], parent);
  if (pid_ < 0) return Error{ErrorCode::resource, std::strerror(errno)};
  setpgid(pid_, pid_);
  close(report.keep(1));
  int why = 0;
  if (read(report.ends[0], &why, sizeof why) == sizeof why) {
    waitpid(std::exchange(pid_, -1), nullptr, 0);
    return Error{why == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                 fmt::format("{}: {}", words_.front(), std::strerror(why))};
  }
  to_ = in.keep(1);
  from_ = out.keep(0);
  errors_ = errors.keep(0);
  for (const int descriptor : {to_, from_, errors_}) fcntl(descriptor, F_SETFL, O_NONBLOCK);
  heard_.clear();
  return Done{};
}

void Session::end(bool at_once) {
  for (int* descriptor : {&to_, &from_, &errors_}) {
    if (*descriptor >= 0) close(std::exchange(*descriptor, -1));
  }
  if (pid_ <= 0) return;
  const Instant give_up = now() + (at_once ? milliseconds(0) : kGrace);  // the end of its input asks it to go
  while (waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (now() >= give_up) {
      kill(-pid_, SIGKILL);
      kill(pid_, SIGKILL);
    }
    std::this_thread::sleep_for(milliseconds(2));
  }
  kill(-pid_, SIGKILL);
  pid_ = -1;
}

bool Session::send(const std::string& line) {
  std::string_view rest = line;
  const Instant give_up = now() + std::chrono::seconds(10);
  while (!rest.empty()) {
    const ssize_t written = write(to_, rest.data(), rest.size());
    if (written > 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN && now() < give_up) {
      pollfd ready{to_, POLLOUT, 0};
      poll(&ready, 1, 50);
      hear(errors_, said_);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

Outcome Session::ask(const Request& request) {
  Outcome outcome;
  if (pid_ <= 0) {
    if (const Status started = start(); !started) {
      outcome.fault = Fault{Reason::no_tool, started.error().message};
      return outcome;
    }
  }
  said_.clear();
  const std::string line =
      compact(json::object{
          {"id", next_id_}, {"ask", request.ask}, {"device", request.device}, {"params", request.params}}) +
      "\n";
  if (send(line)) {
    listen(request, outcome);
  } else {
    explain_death(outcome);
  }
  ++next_id_;
  outcome.said = std::move(said_);
  said_.clear();
  return outcome;
}

void Session::listen(const Request& request, Outcome& outcome) {
  Instant deadline = now() + request.silence;
  while (true) {
    std::array<pollfd, 2> ready{{{from_, POLLIN, 0}, {errors_, POLLIN, 0}}};
    poll(ready.data(), ready.size(), static_cast<int>(kTurn.count()));
    if (ready[1].revents) hear(errors_, said_);
    if (ready[0].revents) {
      const std::size_t before = heard_.size();
      hear(from_, heard_);
      const bool is_alive = heard_.size() > before;
      if (is_alive) deadline = now() + request.silence;
      if (take_lines(outcome)) return hear(errors_, said_);
      if (!is_alive || heard_.size() > kMostLine) return explain_death(outcome);
    }
    if (stop_ && stop_->load()) {
      end(true);
      outcome.fault = Fault{Reason::failed, "interrupted"};
      return;
    }
    if (now() > deadline) {
      end(true);
      outcome.fault = Fault{
          Reason::timeout, fmt::format("nothing heard for {:.0f} s; the probe was ended", to_seconds(request.silence))};
      return;
    }
  }
}

bool Session::take_lines(Outcome& outcome) {
  std::size_t from = 0;
  bool answered = false;
  for (std::size_t end; !answered && (end = heard_.find('\n', from)) != std::string::npos; from = end + 1) {
    answered = take_line(std::string_view(heard_).substr(from, end - from), outcome);
  }
  heard_.erase(0, from);
  return answered;
}

bool Session::take_line(std::string_view line, Outcome& outcome) {
  boost::system::error_code failed;
  json::value parsed = json::parse(line, failed);
  if (failed || !parsed.is_object()) return false;  // a library that prints; docs/formats/probe.md lets it
  json::object& reply = parsed.as_object();
  const json::value* id = reply.if_contains("id");
  if (!id || !id->is_int64() || id->as_int64() != next_id_) return false;
  if (json::value* row = reply.if_contains("row"); row && row->is_object()) {
    outcome.rows.push_back(std::move(row->as_object()));
  } else if (const json::value* told = reply.if_contains("progress"); told && told->is_object() && told_) {
    told_({count_of(told->as_object(), "done"), count_of(told->as_object(), "of"), text_in(told->as_object(), "note")});
  } else if (json::value* result = reply.if_contains("result"); result && result->is_object()) {
    outcome.result = std::move(result->as_object());
    return true;
  } else if (const json::value* error = reply.if_contains("error")) {
    outcome.fault = fault_in(*error);
    return true;
  }
  return false;
}

void Session::hear(int descriptor, std::string& into) {
  std::array<char, 65536> buffer;
  ssize_t got;
  while ((got = read(descriptor, buffer.data(), buffer.size())) > 0) {
    into.append(buffer.data(), static_cast<std::size_t>(got));
    if (&into == &said_ && said_.size() > kMostSaid) said_.erase(0, said_.size() - kMostSaid);
    if (static_cast<std::size_t>(got) < buffer.size()) return;
  }
}

/// The probe has closed its output or its input: it is dead, or as good as dead.
void Session::explain_death(Outcome& outcome) {
  hear(errors_, said_);
  int how = 0;
  const Instant give_up = now() + kGrace;
  while (waitpid(pid_, &how, WNOHANG) == 0) {
    if (now() > give_up) {
      end(true);
      outcome.fault = Fault{Reason::crash, "the probe closed its output without an answer"};
      return;
    }
    std::this_thread::sleep_for(milliseconds(2));
  }
  kill(-pid_, SIGKILL);
  pid_ = -1;
  end(true);
  outcome.fault = death_by(how);
  if (const std::string words = last_line(said_); !words.empty()) outcome.fault->message += ": " + words;
}

}  // namespace scoville::probe
