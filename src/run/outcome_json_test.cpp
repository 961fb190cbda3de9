#include "run/outcome_json.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace std::chrono_literals;

TEST_CASE("what a run observed of itself comes back from its JSON as it was") {
  run::RunResult before;
  before.start = Instant(5s);
  before.end = Instant(15s);
  before.steal_share = 0.01;
  before.drops = 2;
  load::LoaderReport loader;
  loader.busy_seconds = {{10ms, 1s}, {20ms, 1s}};
  loader.has_kernel_stamps = false;
  loader.cpu = 30ms;
  before.loaders = {loader, load::LoaderReport{}};
  const json::object written = run::outcome_json(before);
  run::RunResult after;
  REQUIRE(run::take_outcome(written, after).ok());
  CHECK(compact(run::outcome_json(after)) == compact(written));
  CHECK(after.loaders.at(0).busy_seconds.at(1).busy == 20ms);
  CHECK_FALSE(after.loaders.at(0).has_kernel_stamps);
}

TEST_CASE("a run that left no account of itself was interrupted") {
  run::RunResult after;
  REQUIRE(run::take_outcome(nullptr, after).ok());
  CHECK(after.was_interrupted);
  CHECK(after.loaders.empty());
  CHECK_FALSE(run::take_outcome(json::value{{"loaders", 3}}, after).ok());
}
