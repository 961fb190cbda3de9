#include "launch/engine.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "base/clock.hpp"
#include "launch/made_file.hpp"
#include "launch/processes.hpp"

using namespace scoville;
using namespace std::chrono_literals;
using event::LaunchEnding;

namespace {

constexpr Nanos kLong = 20s;  // for what happens at once; a test that comes near it has failed

launch::Plan shell(const std::string& script, const launch::MadeFile& log, Nanos grace = kLong) {
  launch::Plan plan;
  plan.words = {"sh", "-c", script};
  plan.variables = {{"PATH", std::getenv("PATH")}, {"GREETING", "hello"}};
  plan.log = log.path();
  plan.stop_grace = grace;
  return plan;
}

/// Until the log holds a line that ends so: a test waits for what its engine says, not for a time.
bool says(const launch::Engine& engine, const std::string& word) {
  for (const Instant give_up = now() + kLong; now() < give_up; engine.has_ended_within(5ms)) {
    const auto lines = engine.log_tail();
    if (!lines.empty() && lines.back().ends_with(word)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("an engine gets its environment and no input, and what it says goes to the log") {
  const launch::MadeFile log;
  log.write("said before\n");
  auto engine = launch::Engine::start(shell("read x; echo \"$GREETING ${x:-nothing}\"; echo late >&2", log));
  REQUIRE(engine.ok());
  REQUIRE((*engine)->has_ended_within(kLong));
  CHECK((*engine)->log_tail() == std::vector<std::string>{"hello nothing", "late"});
  CHECK((*engine)->exit()->code == 0);
}

TEST_CASE("an engine that is asked to stop does, with all of its group") {
  const launch::MadeFile log;
  auto engine = launch::Engine::start(shell("sleep 600 & echo up; wait", log));
  REQUIRE(engine.ok());
  REQUIRE(says(**engine, "up"));
  CHECK(getpgid((*engine)->pid()) == (*engine)->pid());
  CHECK(launch::living_processes((*engine)->pid(), "").size() == 2);
  const LaunchEnding ending = (*engine)->stop();
  CHECK(ending.how == LaunchEnding::How::stopped);
  CHECK(ending.signal == SIGTERM);
  CHECK(ending.killed_others == 0);
  CHECK(ending.survivors == 0);
  CHECK(launch::living_processes((*engine)->pid(), "").empty());
  CHECK((*engine)->stop().at == ending.at);  // a second time is no second ending
}

TEST_CASE("an engine that ignores TERM is killed after the grace") {
  const launch::MadeFile log;
  auto engine = launch::Engine::start(shell("trap '' TERM; echo up; while :; do sleep 1; done", log, 50ms));
  REQUIRE(engine.ok());
  REQUIRE(says(**engine, "up"));
  const LaunchEnding ending = (*engine)->stop();
  CHECK(ending.how == LaunchEnding::How::killed);
  CHECK(ending.signal == SIGKILL);
  CHECK(*ending.stop_took >= 50ms);
  CHECK(launch::living_processes((*engine)->pid(), "").empty());
}

TEST_CASE("a process that an engine leaves behind is found and ended, also in a session of its own") {
  const launch::MadeFile log;
  // The worker ignores TERM and has left the group; the first process ends at once when it is asked to.
  auto engine = launch::Engine::start(
      shell("setsid sh -c 'trap \"\" TERM; echo up; while :; do sleep 1; done' & wait", log, 100ms));
  REQUIRE(engine.ok());
  REQUIRE(says(**engine, "up"));
  const LaunchEnding ending = (*engine)->stop();
  CHECK(ending.how == LaunchEnding::How::stopped);
  CHECK(ending.killed_others >= 1);
  CHECK(ending.survivors == 0);
}

TEST_CASE("an engine that ends by itself is noticed, with its status and its last words") {
  const launch::MadeFile log;
  auto engine = launch::Engine::start(shell("echo going down; exit 7", log));
  REQUIRE(engine.ok());
  REQUIRE((*engine)->has_ended_within(kLong));
  CHECK((*engine)->exit()->at >= (*engine)->started());
  const LaunchEnding ending = (*engine)->stop();
  CHECK(ending.how == LaunchEnding::How::by_itself);
  CHECK(ending.exit_code == 7);
  CHECK(ending.log_tail == std::vector<std::string>{"going down"});
  auto killed = launch::Engine::start(shell("kill -9 $$", log));
  REQUIRE((*killed)->has_ended_within(kLong));
  CHECK((*killed)->stop().signal == SIGKILL);
}

TEST_CASE("an engine does not outlive the object that stands for it") {
  const launch::MadeFile log;
  pid_t pid = -1;
  {
    auto engine = launch::Engine::start(shell("echo up; sleep 600", log));
    REQUIRE(engine.ok());
    REQUIRE(says(**engine, "up"));
    pid = (*engine)->pid();
  }
  CHECK(launch::living_processes(pid, "").empty());
}

TEST_CASE("an engine does not outlive a process of ours that is killed") {
  const launch::MadeFile log;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t starter = fork();
  if (starter == 0) {
    auto engine = launch::Engine::start(shell("echo up; sleep 600", log));
    const pid_t pid = engine.ok() && says(**engine, "up") ? (*engine)->pid() : -1;
    static_cast<void>(write(ends[1], &pid, sizeof pid) > 0);
    for (;;) pause();
  }
  pid_t pid = -1;
  REQUIRE(read(ends[0], &pid, sizeof pid) == sizeof pid);
  REQUIRE(pid > 0);
  CHECK_FALSE(launch::living_processes(pid, "").empty());
  kill(starter, SIGKILL);
  waitpid(starter, nullptr, 0);
  const Instant give_up = now() + kLong;
  while (!launch::living_processes(pid, "").empty() && now() < give_up) usleep(5000);
  CHECK(launch::living_processes(pid, "").empty());
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("a program that is not there is told by its name, and so is a log that cannot be written") {
  const launch::MadeFile log;
  launch::Plan plan = shell("", log);
  plan.words = {"no-such-engine"};
  const auto missing = launch::Engine::start(plan);
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message.find("no-such-engine: No such file") != std::string::npos);
  plan.words = {"/"};
  CHECK_FALSE(launch::Engine::start(plan).ok());
  plan = shell("true", log);
  plan.log = "/nonexistent/log";
  CHECK_FALSE(launch::Engine::start(plan).ok());
}
