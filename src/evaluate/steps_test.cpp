#include "evaluate/steps.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace scoville::evaluate {
namespace {

System live(const char* name, const char* url) {
  System out;
  out.name = name;
  out.endpoint = url;
  return out;
}

Plan made_plan() {
  Plan plan;
  plan.name = "what";
  plan.stages = {Stage::correctness, Stage::serving, Stage::stability};
  plan.systems = {live("a", "http://a:1"), live("b", "http://b:2")};
  Workload chat;
  chat.name = "chat";
  chat.rate = 4;
  chat.requests = 200;
  chat.slos = {{plan::SloMetric::ttft, 0.95, std::chrono::milliseconds(500), "ttft:p95:500ms"},
               {plan::SloMetric::e2e, 0.95, std::chrono::seconds(8), "e2e:p95:8s"}};
  plan.workloads = {chat};
  return plan;
}

bool has(const std::vector<std::string>& words, std::vector<std::string> part) {
  return std::search(words.begin(), words.end(), part.begin(), part.end()) != words.end();
}

}  // namespace

TEST_CASE("two servers that answer at once are checked, then measured in turn") {
  const Agenda agenda = make_agenda(made_plan());
  REQUIRE(agenda.steps.size() == 2);
  CHECK(agenda.steps[0].id == "correctness a b");
  CHECK(has(agenda.steps[0].words, {"probe", "correctness", "--base-url", "http://a:1", "--base-url", "http://b:2"}));
  const Step& duel = agenda.steps[1];
  CHECK(duel.id == "serving chat a b");
  CHECK(has(duel.words, {"duel", "http://a:1", "http://b:2"}));
  CHECK(has(duel.words, {"--request-rate", "4"}));
  CHECK(has(duel.words, {"--goodput", "ttft:500ms", "e2el:8000ms"}));
  CHECK(has(duel.words, {"--primary", "goodput_per_s"}));
  // 200 requests at 4/s are 50 s; eight pairs are 16 runs.
  CHECK(*duel.estimate == std::chrono::seconds(800));
  CHECK(duel.tags[0] == duel.tags[1].substr(0, duel.tags[1].size() - 1) + "a");
}

TEST_CASE("what this version does not measure is named, not left out in silence") {
  const Agenda agenda = make_agenda(made_plan());
  REQUIRE(agenda.not_run.size() == 1);
  CHECK(agenda.not_run[0].stage == Stage::stability);
  CHECK(agenda.not_run[0].why == WhyNot::other_version);
}

TEST_CASE("runs made before are not made again; their other side is measured alone") {
  Plan plan = made_plan();
  plan.systems[0].runs["chat"] = "last-month";
  const Agenda agenda = make_agenda(plan);
  REQUIRE(agenda.steps.size() == 2);
  CHECK(agenda.steps[1].id == "serving chat b");
  CHECK(has(agenda.steps[1].words, {"bench", "--base-url", "http://b:2"}));
  CHECK(has(agenda.steps[1].words, {"--repeats", "5"}));
  plan.systems[1] = System();
  plan.systems[1].name = "b";
  plan.systems[1].runs["chat"] = "bundle.scoville";
  CHECK(make_agenda(plan).steps.empty());
}

TEST_CASE("an engine that needs the devices for itself is started by its own step, and is not asked beside another") {
  Plan plan = made_plan();
  plan.systems[1] = System();
  plan.systems[1].name = "b";
  plan.systems[1].launch.command = "engine --port {port}";
  plan.systems[1].is_alone = true;
  const Agenda agenda = make_agenda(plan);
  REQUIRE(agenda.steps.size() == 2);
  CHECK(has(agenda.steps[0].words, {"bench", "--launch", "engine --port {port}"}));
  CHECK(agenda.steps[0].live.empty());
  CHECK(agenda.steps[1].id == "serving chat a");
  CHECK(agenda.not_run.front().why == WhyNot::not_live);
}

TEST_CASE("an engine that may share is started by us: its address is filled in later") {
  Plan plan = made_plan();
  plan.systems[1] = System();
  plan.systems[1].name = "b";
  plan.systems[1].launch.command = "engine --port {port}";
  const Agenda agenda = make_agenda(plan);
  CHECK(has(agenda.steps[1].words, {"duel", "http://a:1", "{url of b}"}));
  CHECK(agenda.steps[1].live == std::vector<std::size_t>{0, 1});
}

TEST_CASE("one system alone is measured as a baseline") {
  Plan plan = made_plan();
  plan.systems.pop_back();
  const Agenda agenda = make_agenda(plan);
  REQUIRE(agenda.steps.size() == 1);
  CHECK(agenda.steps[0].id == "serving chat a");
  CHECK(agenda.not_run.front().why == WhyNot::one_system);
}

TEST_CASE("a plan that asks something else does not find the runs of the old one") {
  const Plan plan = made_plan();
  Plan other = made_plan();
  other.workloads[0].rate = 5;
  CHECK(make_agenda(plan).key != make_agenda(other).key);
  other = made_plan();
  other.expires_days = 30;  // nothing that is measured
  CHECK(make_agenda(plan).key == make_agenda(other).key);
}

TEST_CASE("a rehearsal is the same steps with a handful of requests") {
  Plan plan = made_plan();
  plan.systems[1].endpoint.clear();
  plan.systems[1].launch.command = "engine --port {port}";
  plan.systems[1].is_alone = true;
  const Agenda agenda = make_agenda(rehearsal_of(plan));
  REQUIRE(agenda.steps.size() == 2);
  CHECK(has(agenda.steps[1].words, {"duel", "http://a:1", "{rehearsal of b}"}));
  CHECK(has(agenda.steps[1].words, {"--num-prompts", "16"}));
  CHECK(*agenda.steps[1].estimate <= std::chrono::seconds(4));
}

TEST_CASE("a command line can be pasted into a shell") {
  CHECK(shell_line({"duel", "http://a:1", "it's $HOME", ""}) == "duel http://a:1 'it'\\''s $HOME' ''");
}

}  // namespace scoville::evaluate
