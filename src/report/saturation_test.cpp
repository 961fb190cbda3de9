#include "report/saturation.hpp"

#include <doctest/doctest.h>

#include "text/catalogue.hpp"

namespace scoville::report {
namespace {

using namespace std::chrono_literals;

decide::SloFigure figure(std::size_t n, std::size_t misses) {
  decide::SloFigure out;
  out.n = n;
  out.misses = misses;
  out.attainment = 1 - static_cast<double>(misses) / static_cast<double>(n);
  out.inflation = 1.25;
  out.effective_n = static_cast<double>(n) / 1.25;
  out.at_least = 0.992;
  out.at_most = 0.9999;
  return out;
}

decide::SaturationStep step_of(double load, decide::Purpose purpose, decide::StepVerdict verdict) {
  decide::SaturationStep out;
  out.ask = {load, 880, purpose, 80};
  out.seconds = 10;
  out.judgement.verdict = verdict;
  out.judgement.slos = {figure(800, 1), figure(800, 0)};
  out.judgement.joint = figure(800, 1);
  out.judgement.first_token = decide::Growth{0.001, 0.01, 0.4};
  return out;
}

SaturationView made_view() {
  SaturationView view;
  view.rule.slos = {{plan::SloMetric::ttft, 0.99, 500ms, "ttft:p99:500ms"},
                    {plan::SloMetric::tpot, 0.9, 50ms, "tpot:p90:50ms"}};
  view.url = "http://127.0.0.1:8000/v1/chat/completions";
  view.model = "m";
  view.set = "set-1";
  view.result.outcome = decide::SearchOutcome::found;
  view.result.value = 80;
  view.result.high = 82;
  view.result.low_seen = 80;
  view.result.high_seen = 82;
  view.result.steps = {step_of(82, decide::Purpose::bisect, decide::StepVerdict::fails),
                       step_of(80, decide::Purpose::confirm, decide::StepVerdict::holds)};
  view.result.steps[0].judgement.doubt = decide::StepDoubt::queue_grows;
  view.result.steps[1].level = 0.975;
  view.result.confirmed_by = 1;
  view.runs = {{"r1", "ok", "drifting_up"}, {"r2", "ok", "steady"}};
  return view;
}

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("the answer is what was shown, between itself and the smallest load shown not to hold") {
  const json::object made = saturation_json(made_view());
  CHECK(made.at("schema") == "scoville.saturation/1");
  const json::object& rate = made.at("rate_per_s").as_object();
  CHECK(rate.at("value").to_number<double>() == 80);
  CHECK(rate.at("low").to_number<double>() == 80);
  CHECK(rate.at("high").to_number<double>() == 82);
  const json::object& attainment = made.at("attainment").as_object();
  CHECK(attainment.at("value").to_number<double>() == doctest::Approx(799.0 / 800));
  CHECK(attainment.at("low").to_number<double>() == doctest::Approx(0.992));
  CHECK(attainment.at("level").to_number<double>() == doctest::Approx(0.975));
  CHECK(attainment.at("slos").as_array().size() == 2);
  CHECK(made.at("per_device").is_null());
  const json::array& steps = made.at("steps").as_array();
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].at("verdict") == "fails");
  CHECK(steps[0].at("doubt") == "queue_grows");
  CHECK(steps[1].at("run") == "r2");
  CHECK(steps[1].at("growth").at("e2e").is_null());
}

TEST_CASE("users, per device; without an answer null, never 0") {
  SaturationView view = made_view();
  view.rule.is_open_loop = false;
  view.devices = 8;
  CHECK(saturation_json(view).at("users").at("value").to_number<double>() == 80);
  CHECK(saturation_json(view).at("per_device").at("value").to_number<double>() == 10);
  view.result.value.reset();
  view.result.high.reset();
  view.result.confirmed_by.reset();
  view.result.outcome = decide::SearchOutcome::cannot_tell;
  CHECK(saturation_json(view).at("users").is_null());
  CHECK(saturation_json(view).at("attainment").is_null());
}

TEST_CASE("what was stored comes back as it was") {
  for (const bool is_open : {true, false}) {
    SaturationView view = made_view();
    view.rule.is_open_loop = is_open;
    const json::value made = saturation_json(view);
    const Result<SaturationView> back = saturation_from(made);
    REQUIRE_MESSAGE(back.ok(), (back.ok() ? "" : back.error().message));
    CHECK(json::value(saturation_json(*back)) == made);
    CHECK(saturation_table(*back) == saturation_table(view));
  }
  SaturationView nothing = made_view();
  nothing.result = {};
  nothing.runs.clear();
  CHECK(saturation_from(saturation_json(nothing)).ok());
}

TEST_CASE("what is no answer of a search is refused") {
  json::object made = saturation_json(made_view());
  made["schema"] = "scoville.saturation/9";
  CHECK_FALSE(saturation_from(made).ok());
  json::object torn = saturation_json(made_view());
  torn["confirmed_by"] = 7;
  CHECK_FALSE(saturation_from(torn).ok());
  json::object odd = saturation_json(made_view());
  odd["outcome"] = "perhaps";
  CHECK_FALSE(saturation_from(odd).ok());
}

TEST_CASE("the table ends in what may be said") {
  SaturationView view = made_view();
  const std::string found = saturation_table(view);
  CHECK(says(found, "80/s holds"));
  CHECK(says(found, "82/s"));
  CHECK(says(found, "the queue grows"));
  CHECK(says(found, "ttft:p99:500ms"));

  view.result.limit = decide::SearchLimit::client;
  view.result.client_limit = 82;
  CHECK(says(saturation_table(view), "the client was the bottleneck at 82/s"));

  view.result.value.reset();
  view.result.confirmed_by.reset();
  view.result.outcome = decide::SearchOutcome::cannot_tell;
  view.result.limit = decide::SearchLimit::too_few_requests;
  view.result.needed_requests = 1200;
  view.result.needed_s = 90;
  CHECK(says(saturation_table(view), "--max-step 90s"));

  view.result.limit = decide::SearchLimit::stopped;
  CHECK(says(saturation_table(view), "between 80/s and 82/s"));

  view.result.outcome = decide::SearchOutcome::none;
  view.result.limit = decide::SearchLimit::none;
  CHECK(says(saturation_table(view), "No load holds"));
}

TEST_CASE("the same in Chinese") {
  text::set_language(text::Language::chinese);
  const std::string found = saturation_table(made_view());
  text::set_language(text::Language::english);
  CHECK(says(found, "成立"));
  CHECK(says(found, "80/秒"));
}

}  // namespace scoville::report
