#include "environment/local_process.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>

#include <cstring>
#include <fstream>

#include "environment/made_folder.hpp"

using namespace scoville;
using namespace scoville::environment;
using event::FieldStatus;

namespace {

// Port 8000 is 1F40; the lines are those of a kernel, shortened behind the inode.
constexpr const char* kTcp =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0\n"
    "   1: 0100007F:1F40 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0\n"
    "   2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0\n";
constexpr const char* kTcp6 =
    "  sl  local_address                         remote_address                        st\n"
    "   0: 00000000000000000000000000000000:1F41 00000000000000000000000000000000:0000 0A 00000000:00000000 "
    "00:00000000 00000000 0 0 99 1 0\n";

wire::Address address(const char* text) {
  wire::Address out;
  sockaddr_in six{};
  six.sin_family = AF_INET;
  six.sin_port = htons(8000);
  inet_pton(AF_INET, text, &six.sin_addr);
  std::memcpy(&out.storage, &six, sizeof six);
  out.length = sizeof six;
  return out;
}

}  // namespace

TEST_CASE("only the socket that listens counts, not its connections nor other ports") {
  CHECK(listening_inodes(kTcp, 8000) == std::vector<std::uint64_t>{4711});
  CHECK(listening_inodes(kTcp, 8080) == std::vector<std::uint64_t>{4713});
  CHECK(listening_inodes(kTcp6, 8001) == std::vector<std::uint64_t>{99});
  CHECK(listening_inodes("garbage\n", 8000).empty());
}

TEST_CASE("the process behind a port gives its command line without the key, and its flags") {
  MadeFolder root;
  root.file("proc/net/tcp", kTcp);
  root.link("proc/300/fd/7", "socket:[4711]");
  root.link("proc/40/fd/3", "socket:[4711]");  // the parent: a smaller number
  root.link("proc/7/fd/0", "/dev/null");
  root.file("proc/40/cmdline", std::string("vllm\0serve\0m\0--api-key\0k\0--max-num-seqs\08\0", 43));
  root.file("proc/300/cmdline", std::string("worker\0", 7));
  const event::Fingerprint f = observe_local_process(root.path(), 8000);
  CHECK(f.text("engine.command_line") == R"(["vllm","serve","m","--api-key","***","--max-num-seqs","8"])");
  CHECK(f.find("engine.command_line")->source == "/proc/PID/cmdline");
  CHECK_FALSE(f.find("engine.pid")->is_comparable);
  CHECK(f.text("engine.pid") == "40");
  CHECK(f.text("engine.flags.max_num_seqs") == "8");
}

TEST_CASE("no listener here is absent; no look at the tables is denied") {
  MadeFolder root;
  root.file("proc/net/tcp", kTcp);
  CHECK(observe_local_process(root.path(), 9).find("engine.command_line")->status == FieldStatus::absent);
  CHECK(observe_local_process(root.path(), 8000).find("engine.command_line")->status == FieldStatus::absent);
  CHECK(observe_local_process(root.path() + "/none", 8000).find("engine.command_line")->status == FieldStatus::denied);
}

TEST_CASE("loopback is this machine, a documentation address is not") {
  CHECK(is_on_this_machine(address("127.0.0.1")));
  CHECK(is_on_this_machine(address("127.9.9.9")));
  CHECK_FALSE(is_on_this_machine(address("192.0.2.1")));  // RFC 5737
  CHECK(port_of(address("192.0.2.1")) == 8000);
}
