#include "wire/rlimit.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.hpp"
#include "base/json.hpp"
#include "wire/socket.hpp"

namespace scoville::wire {
namespace {

json::value read_case(const std::string& file) {
  return json::parse(read_file(std::string(SCOVILLE_CASES_DIR) + "/" + file).value());
}

/// What `work` returns in a process of its own, whose limits may be changed.
template <class Work>
int in_a_child(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

rlim_t soft_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace

TEST_CASE("case ERR-20: new connections a second times 60 s must fit into the port range") {
  const json::value given = read_case("ERR-20.json"), right = read_case("ERR-20.expect.json").at("expect");
  const PortBudget budget = port_budget(
      given.at_pointer("/port_range/0").to_number<int>(), given.at_pointer("/port_range/1").to_number<int>(),
      given.at("new_connections_per_s").to_number<double>(), given.at("time_wait_s").to_number<double>());
  CHECK(budget.ports == right.at("ports").to_number<int>());
  CHECK(budget.needed == right.at("needed").to_number<double>());
  CHECK(budget.fits() == right.at("fits").as_bool());
  CHECK(port_budget(32768, 60999, 470).fits());  // 470 · 60 = 28200 < 28232
}

TEST_CASE("a soft limit that is too low is raised, one that is high enough stays") {
  const int outcome = in_a_child([] {
    const rlimit low{64, 4096};
    setrlimit(RLIMIT_NOFILE, &low);
    if (!reserve_descriptors(100).ok() || soft_limit() < 164) return 1;  // 100 sockets and the reserve of 64
    const rlim_t raised = soft_limit();
    return reserve_descriptors(1).ok() && soft_limit() == raised ? 0 : 2;
  });
  CHECK(outcome == 0);
}

TEST_CASE("more sockets than this machine grants are refused before the run, with both limits") {
  const int outcome = in_a_child([] {
    if (geteuid() == 0 && setuid(65534) != 0) return 9;  // root may raise even the hard limit
    const rlimit low{64, 128};
    setrlimit(RLIMIT_NOFILE, &low);
    const Status status = reserve_descriptors(1024);
    if (status.ok() || status.error().code != ErrorCode::resource) return 1;
    const std::string& words = status.error().message;
    return words.find("64") != std::string::npos && words.find("128") != std::string::npos ? 0 : 2;
  });
  CHECK(outcome == 0);
}

TEST_CASE("case ERR-19: requests for which this machine had no descriptor are not the server's failures") {
  const json::value right = read_case("ERR-19.expect.json").at("expect");
  const std::string lines = read_file(std::string(SCOVILLE_CASES_DIR) + "/ERR-19.records.jsonl").value();
  int ok = 0, ours = 0, the_servers = 0;
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
    const json::value record = json::parse(lines.substr(at, lines.find('\n', at) - at));
    if (record.at("result") == "ok") {
      ++ok;
      continue;
    }
    REQUIRE(record.at("errno") == "EMFILE");
    ++(connect_error(EMFILE, Address()).code == ErrorCode::resource ? ours : the_servers);
  }
  CHECK(ok == right.at("ok").to_number<int>());
  CHECK(ours == right.at("client_resource").to_number<int>());
  CHECK(the_servers == right.at("server_failures").to_number<int>());
  CHECK((ours == 0) == right.at("run_valid").as_bool());
}

TEST_CASE("what this machine ran out of is told from what the server refused") {
  const Address address;
  for (const int ours : {EMFILE, ENFILE, EADDRNOTAVAIL, ENOMEM, ENOBUFS}) {
    CHECK(connect_error(ours, address).code == ErrorCode::resource);
  }
  CHECK(connect_error(ECONNREFUSED, address).code == ErrorCode::refused);
  CHECK(connect_error(ETIMEDOUT, address).code == ErrorCode::timed_out);
  CHECK(connect_error(EHOSTUNREACH, address).code == ErrorCode::io);
}

}  // namespace scoville::wire
