#include "plan/plan_json.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace std::chrono_literals;

TEST_CASE("a plan comes back from its JSON as it was") {
  plan::LoadPlan before;
  before.arrivals.rate = 12.5;
  before.arrivals.burstiness = 0.7;
  before.arrivals.ramp_up = plan::RampUp::exponential;
  before.arrivals.seed = 0xffffffffffffffff;
  before.duration = 90s;
  before.max_concurrency = 7;
  before.timeouts.linger = 123ns;
  before.finds_warmup = true;
  const json::object written = plan::to_json(before);
  const auto after = plan::load_plan_from(written);
  REQUIRE(after.ok());
  CHECK(compact(plan::to_json(*after)) == compact(written));
  CHECK(after->arrivals.seed == 0xffffffffffffffff);
  CHECK(after->duration == 90s);
  CHECK(after->arrivals.ramp_up == plan::RampUp::exponential);
  CHECK(plan::load_plan_from(plan::to_json(plan::LoadPlan{}))->duration == std::nullopt);
}

TEST_CASE("a stored request tells no secret") {
  plan::RequestShape shape;
  shape.model = "m";
  shape.dialect = plan::Dialect::lmdeploy;
  shape.inputs = 3;
  shape.api_key = "sk-secret";
  shape.headers = {{"X-Token", "hunter2"}};
  const json::object written = plan::to_json(shape);
  CHECK(compact(written).find("secret") == std::string::npos);
  CHECK(compact(written).find("hunter2") == std::string::npos);
  CHECK(written.at("header_names").at(0) == "X-Token");
  CHECK(plan::request_shape_from(written)->dialect == plan::Dialect::lmdeploy);
  CHECK(plan::request_shape_from(written)->inputs == 3);
}

TEST_CASE("a member of the wrong type is named, with what was expected") {
  const auto wrong = plan::load_plan_from(json::value{{"arrivals", {{"rate_per_s", "fast"}}}});
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().message.starts_with("plan.arrivals.rate_per_s: expected"));
  CHECK_FALSE(plan::load_plan_from(json::value{{"num_prompts", -1}}).ok());
  CHECK_FALSE(plan::load_plan_from(json::value("x")).ok());
}
