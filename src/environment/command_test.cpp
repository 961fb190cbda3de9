#include "environment/command.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

#include "environment/fixture.hpp"
#include "environment/interview.hpp"

namespace scoville::environment {
namespace {

using std::chrono::milliseconds;

CommandResult shell(const std::string& script, Nanos timeout, std::size_t most = 1 << 16) {
  return run_program("/bin/sh", {"-c", script}, {{"PATH", "/usr/bin:/bin"}, {"HANDED", "over"}}, {timeout, most});
}

// None of the programs below that shall end needs a hundredth of this.
constexpr milliseconds kPlenty{60000};
constexpr milliseconds kLittle{50};

}  // namespace

TEST_CASE("a program's two streams, exit status and environment come back apart") {
  const CommandResult result = shell("echo \"$HANDED\"; echo fault >&2; exit 3", kPlenty);
  CHECK(result.end == CommandResult::End::exited);
  CHECK(result.exit_code == 3);
  CHECK(result.output == "over\n");
  CHECK(result.errors == "fault\n");
}

TEST_CASE("a program ended by a signal has 128 and the signal as its status") {
  CHECK(shell("kill -SEGV $$", kPlenty).exit_code == 128 + 11);
}

TEST_CASE("output beyond the limit is dropped, and the program is not held up by it") {
  const CommandResult result = shell("yes 0123456789 | head -c 500000; exit 5", kPlenty, 1000);
  CHECK(result.output.size() == 1000);
  CHECK(result.exit_code == 5);
}

TEST_CASE("a program that ignores TERM is ended all the same") {
  const CommandResult result = shell("trap '' TERM INT HUP; echo $$; while :; do sleep 1000; done", milliseconds(300));
  CHECK(result.end == CommandResult::End::timed_out);
  const int pid = std::atoi(result.output.c_str());
  REQUIRE(pid > 1);
  CHECK(kill(pid, 0) == -1);  // gone, and collected
  CHECK(errno == ESRCH);
}

TEST_CASE("a grandchild that keeps the pipe open holds nobody up") {
  SUBCASE("the program said nothing: that is no answer") {
    CHECK(shell("sleep 1000 & exit 0", kLittle).end == CommandResult::End::timed_out);
  }
  SUBCASE("the program said what it had to say: that is its answer") {
    const CommandResult result = shell("echo answer; sleep 1000 & exit 0", milliseconds(500));
    CHECK(result.end == CommandResult::End::exited);
    CHECK(result.output == "answer\n");
  }
}

TEST_CASE("what is no program could not be started") {
  CHECK(run_program("/nonexistent/tool", {}, {}, {}).end == CommandResult::End::not_started);
}

TEST_CASE("tools are found by the PATH that is handed over") {
  FixtureRoot bin;
  bin.file("/a/unheard-of-smi", "#!/bin/sh\necho \"$1 $LC_ALL\"\n");
  const SystemTools tools({{"PATH", bin.path() + "/empty:" + bin.path() + "/a:/usr/bin:/bin"}, {"LC_ALL", "zh_CN"}},
                          {kPlenty});
  CHECK(tools.run({"unheard-of-smi", "x"}).end == CommandResult::End::not_found);  // not executable
  REQUIRE(chmod((bin.path() + "/a/unheard-of-smi").c_str(), 0755) == 0);
  CHECK(tools.run({"unheard-of-smi", "info"}).output == "info C\n");  // asked in English whatever is spoken
  CHECK(tools.run({"unheard-of-other"}).end == CommandResult::End::not_found);
}

TEST_CASE("a complaint names the command and what became of it") {
  const FakeTools tools = FakeTools().hangs("slow-smi").says("sick-smi -x", "ERROR: no driver\nmore\n", 9);
  Interview interview(tools, {{"slow", {"slow-smi", "info"}}, {"sick", {"sick-smi", "-x"}}, {"none", {"no-smi"}}});
  const Answers& answers = interview.answers();
  CHECK(complaint(answers.at("slow"), std::chrono::seconds(1)) == "slow-smi info: timed out after 1 s");
  CHECK(complaint(answers.at("sick"), std::chrono::seconds(1)) == "sick-smi -x: exit status 9: ERROR: no driver");
  CHECK(complaint(answers.at("none"), std::chrono::seconds(1)) == "no-smi: no such program");
}

}  // namespace scoville::environment
