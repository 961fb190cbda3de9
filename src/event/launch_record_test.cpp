#include "event/launch_record.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using event::LaunchEnding;

TEST_CASE("what was started, and how it ended, comes back from its JSON as it was") {
  event::LaunchRecord before;
  before.given = "engine --port {port}";
  before.command = {"engine", "--port", "8001"};
  before.environment = {"HF_TOKEN=***"};
  before.time_to_ready = Nanos(3200000000);
  LaunchEnding& ending = before.ending.emplace();
  ending.how = LaunchEnding::How::by_itself;
  ending.signal = 9;
  ending.since_start = Nanos(-5);
  ending.log_tail = {"one", "two"};
  const json::object written = event::launch_json(before);
  const auto after = event::launch_from(written);
  REQUIRE(after.ok());
  CHECK(event::launch_json(*after) == written);
  CHECK(after->ending->signal == 9);
  CHECK_FALSE(after->ending->exit_code.has_value());
  CHECK_FALSE(after->time_to_first_token.has_value());
}

TEST_CASE("a stored launch that lacks what a later version added still reads, and one of the wrong kind does not") {
  const auto sparse = event::launch_from(json::value{{"command", {"engine"}}});
  REQUIRE(sparse.ok());
  CHECK_FALSE(sparse->ending.has_value());
  CHECK_FALSE(event::launch_from(json::value{{"command", 7}}).ok());
  CHECK_FALSE(event::launch_from(json::value{{"ending", {{"how", "vanished"}}}}).ok());
}
