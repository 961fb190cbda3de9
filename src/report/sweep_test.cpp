#include "report/sweep.hpp"

#include <doctest/doctest.h>

#include "report/shapes.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {
namespace {

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

decide::SweepPoint made(std::size_t settings, const char* users, double x, double y) {
  decide::SweepPoint out;
  out.settings = settings;
  out.load = {{"concurrency", users}};
  out.state = decide::PointState::measured;
  decide::SweepRun run;
  run.id = std::string("r") + users;
  run.output_per_s = y;
  run.tpot_s = 1 / x;
  run.ttft_p50_s = 0.05;
  run.attempted = 130;
  run.instrument = "ok";
  run.steady = "steady";
  out.runs = {run};
  return out;
}

SweepView made_view() {
  SweepView view;
  view.url = "http://127.0.0.1:8000/v1/chat/completions";
  view.model = "m";
  view.set = "set-1";
  view.settings = {{{"dtype", "bf16"}}, {{"dtype", "fp16"}}};
  view.devices = {2, 2};
  view.points = {made(0, "1", 50, 50), made(0, "4", 40, 160), made(1, "1", 60, 60), made(1, "4", 41, 170)};
  view.points[3].state = decide::PointState::not_started;
  view.points[3].runs.clear();
  view.points[3].why = "out of memory";
  view.pairs = {{0, 1, decide::Standing::no_gate, ""}};
  view.at = {30, 55, 70};
  return view;
}

}  // namespace

TEST_CASE("precisions that nobody checked have a frontier each, and the report says what would settle it") {
  const json::object out = sweep_json(made_view());
  CHECK(out.at("throughput") == "per_device");
  const json::array& frontiers = out.at("frontiers").as_array();
  REQUIRE(frontiers.size() == 2);
  CHECK(frontiers[0].at("points") == json::value(json::array{1, 0}));
  CHECK(frontiers[1].at("points") == json::value(json::array{2}));
  CHECK(frontiers[0].at("hypervolume").as_double() == doctest::Approx(40 * 80 + 10 * 25));
  CHECK(frontiers[0].at("read").at(0).at("best") == 1);
  CHECK(frontiers[0].at("read").at(0).at("value").as_double() == 80);
  CHECK(frontiers[0].at("read").at(1).at("best").is_null());
  CHECK(frontiers[1].at("read").at(1).at("best") == 2);
  CHECK(out.at("pairs").at(0).at("standing") == "precision_without_accuracy");
  const std::string table = sweep_table(made_view());
  CHECK(says(table, "scoville probe correctness"));
  CHECK(says(table, "did not start: out of memory"));
  CHECK(says(table, "tokens/s per device"));
  CHECK(says(table, "no measured point reaches it"));
}

TEST_CASE("behind their gate they share one; without an x nobody is called best") {
  SweepView view = made_view();
  view.pairs[0] = {0, 1, decide::Standing::gate_passed, "check-1"};
  view.at.clear();
  const json::object out = sweep_json(view);
  REQUIRE(out.at("frontiers").as_array().size() == 1);
  CHECK(out.at("frontiers").at(0).at("points") == json::value(json::array{1, 2}));
  const std::string table = sweep_table(view);
  CHECK(says(table, "check check-1 passed"));
  CHECK(says(table, "--at-user-rate"));
  CHECK_FALSE(says(table, "Best for a user"));
}

TEST_CASE("per money: tokens an hour of one device, by its price") {
  SweepView view = made_view();
  view.per_device_hour = Money{10, "CNY"};
  CHECK(sweep_json(view).at("points").at(1).at("per_money").as_double() == doctest::Approx(80 * 360));
  CHECK(says(sweep_table(view), "tokens per CNY"));
  view.devices[0].reset();
  CHECK(sweep_json(view).at("points").at(1).at("per_money").is_null());
  CHECK(says(sweep_table(view), "of the whole system"));
}

TEST_CASE("a sweep in Chinese") {
  text::set_language(text::Language::chinese);
  const std::string table = sweep_table(made_view());
  text::set_language(text::Language::english);
  CHECK(says(table, "未能启动"));
  CHECK(says(table, "精度不同"));
}

TEST_CASE("lengths: the slow ones are named, the fast ones only shown") {
  ShapesView view;
  view.url = "http://127.0.0.1:8000/v1/completions";
  view.requests = 10;
  view.instrument = "ok";
  view.lengths = {
      {16, 10, 1e-4, stats::QuantileInterval{0.9e-4, 1.1e-4, 0.978}, decide::LengthStanding::fast, 0.001, -0.2},
      {17, 10, 2e-4, stats::QuantileInterval{1.9e-4, 2.1e-4, 0.978}, decide::LengthStanding::slow, 0.002, 0.5}};
  CHECK(shapes_json(view).at("bad") == json::value(json::array{17U}));
  CHECK(says(shapes_table(view), "Bad lengths: 17."));
  CHECK(says(shapes_table(view), "slow: 50.0 % above"));
  view.is_client_limited = true;
  CHECK(shapes_json(view).at("bad").as_array().empty());
  CHECK(says(shapes_table(view), "The client was the bottleneck"));
  view.is_client_limited = false;
  view.lengths.clear();
  CHECK(says(shapes_table(view), "nothing can be said"));
}

}  // namespace scoville::report
