#include "probe/session.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace scoville;
using namespace scoville::probe;

namespace {

/// A probe in shell: $line is the request; `say WHAT` answers request 1 unless the body says otherwise.
std::vector<std::string> scripted(const std::string& body) {
  return {"/bin/sh", "-c", "n=0; while read -r line; do n=$((n+1)); " + body + "\ndone"};
}

}  // namespace

TEST_CASE("rows, then a result; lines of libraries and of other requests are passed over") {
  Session session(scripted(R"(
    echo 'Loading library 1.2'
    echo '{"id": 99, "result": {"wrong": 1}}'
    echo '{"id": '$n', "row": {"a": 1}}'
    echo 'a warning' >&2
    echo '{"id": '$n', "progress": {"done": 1, "of": 2, "note": "next"}}'
    echo '{"id": '$n', "row": {"a": 2}}'
    echo '{"id": '$n', "result": {"b": 3}}')"));
  std::vector<std::string> notes;
  session.on_progress([&](const Progress& told) { notes.push_back(told.note); });
  for (int turn = 0; turn < 2; ++turn) {
    const Outcome outcome = session.ask({"gemm", "cpu", {}});
    REQUIRE(outcome.ok());
    CHECK(outcome.rows.size() == 2);
    CHECK(outcome.result->at("b").as_int64() == 3);
    CHECK(outcome.said.find("a warning") != std::string::npos);
  }
  CHECK(notes == std::vector<std::string>{"next", "next"});
}

TEST_CASE("rows that come one by one are all taken: an empty buffer is no closed output") {
  Session session(scripted(R"(
    i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo '{"id": '$n', "row": {"i": '$i'}}'; done
    echo '{"id": '$n', "result": {}}')"));
  const Outcome outcome = session.ask({"operator", "cpu", {}});
  CHECK(outcome.ok());
  CHECK(outcome.rows.size() == 400);
}

TEST_CASE("an error has its reason; one that is not known is a plain failure") {
  Session session(scripted(R"(
    if [ $n = 1 ]; then echo '{"id": 1, "error": {"reason": "oom", "message": "too big"}}'
    else echo '{"id": 2, "error": {"reason": "gremlins", "message": "who knows"}}'; fi)"));
  const Outcome first = session.ask({"gemm", "cpu", {}});
  CHECK(first.fault->reason == Reason::oom);
  CHECK(first.fault->message == "too big");
  CHECK(session.ask({"gemm", "cpu", {}}).fault->reason == Reason::failed);
}

TEST_CASE("a probe that crashes keeps its rows and is started anew by the next question") {
  Session session(scripted(R"(
    case $line in
      *crash*) echo '{"id": 1, "row": {"a": 1}}'; kill -SEGV $$ ;;
      *) echo '{"id": 2, "result": {}}' ;;
    esac)"));
  const Outcome crashed = session.ask({"crash", "cpu", {}});
  CHECK(crashed.fault->reason == Reason::crash);
  CHECK(crashed.fault->message.find("Segmentation fault") != std::string::npos);
  CHECK(crashed.rows.size() == 1);
  CHECK(session.ask({"gemm", "cpu", {}}).ok());
}

TEST_CASE("a probe that hangs is ended, its children with it") {
  Session session(scripted("sleep 600 & wait"));
  const Outcome hung = session.ask({"gemm", "cpu", {}, std::chrono::milliseconds(100)});
  CHECK(hung.fault->reason == Reason::timeout);
}

TEST_CASE("a program that is not there is no tool") {
  Session session({"/nowhere/probe"});
  const Outcome outcome = session.ask({"describe", "", {}});
  CHECK(outcome.fault->reason == Reason::no_tool);
  CHECK(outcome.fault->message == "/nowhere/probe: No such file or directory");
}

TEST_CASE("one that ends without an answer has crashed, and its status is said") {
  Session session({"/bin/sh", "-c", "read -r line; exit 3"});
  CHECK(session.ask({"describe", "", {}}).fault->message == "the probe ended without an answer (exit status 3)");
}

TEST_CASE("what a probe said last before it ended stands in its fault") {
  Session session({"/bin/sh", "-c", "read -r line; echo loading >&2; echo 'libvendor.so: no such file' >&2; exit 1"});
  CHECK(session.ask({"describe", "", {}}).fault->message ==
        "the probe ended without an answer (exit status 1): libvendor.so: no such file");
}

TEST_CASE("variables are set for the probe alone") {
  Session session(scripted(R"(echo '{"id": '$n', "result": {"v": "'$SCOVILLE_TEST_VALUE'"}}')"));
  session.set_variable("SCOVILLE_TEST_VALUE", "strict");
  CHECK(session.ask({"describe", "", {}}).result->at("v").as_string() == "strict");
  CHECK(std::getenv("SCOVILLE_TEST_VALUE") == nullptr);
}

TEST_CASE("a read that brings whole lines and no answer is not the end of the probe") {
  std::string folder = (std::filesystem::temp_directory_path() / "scoville-session-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()));
  const std::string gate = folder + "/gate";
  REQUIRE(mkfifo(gate.c_str(), 0600) == 0);
  Session session(scripted("echo '{\"id\": 1, \"progress\": {\"done\": 1, \"of\": 2}}'; read -r go < " + gate +
                           "; echo '{\"id\": 1, \"result\": {}}'"));
  session.on_progress([&](const Progress&) { std::ofstream(gate) << "go\n"; });  // the answer waits for this
  CHECK(session.ask({"gemm", "cpu", {}}).ok());
  std::filesystem::remove_all(folder);
}
