#include "analyse/analysis.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {

using event::Failure;
using event::Flag;

/// What a run was asked to do, and what came of it.
struct Scene {
  run::RunResult run;
  plan::LoadPlan plan;
  plan::RequestShape shape;
  AnalysisOptions options;

  std::vector<event::RequestRecord>& records() { return run.records; }
  Analysis analysis() const { return analyse(run, plan, options).value(); }
};

constexpr std::size_t kSlots = 4, kTokens = 10;
constexpr double kTook = 1000;

/// `rounds` times four requests of exactly one second, each handed on at once: ten tokens, the first after 100 ms.
Scene closed_loop(std::size_t rounds) {
  Scene scene;
  for (std::size_t i = 0; i < rounds * kSlots; ++i) {
    const double from = static_cast<double>(i / kSlots) * kTook;
    scene.records().push_back(answered(from, every(100, kTokens, from + 100), from + kTook));
    event::RequestRecord& record = scene.records().back();
    record.index = i;
    record.prompt_hash = i;
    record.prompt_tokens = record.asked_prompt_tokens = 100;
    record.max_tokens = kTokens;
  }
  scene.plan.max_concurrency = kSlots;
  scene.plan.num_prompts = rounds * kSlots;
  scene.shape.ignore_eos = true;
  scene.run.loaders.emplace_back();
  scene.run.loaders[0].reused_connections = true;
  return scene;
}

/// 700 requests at 10/s, each exactly on time, 200 ms long.
Scene open_loop() {
  Scene scene = closed_loop(175);
  for (std::size_t i = 0; i < scene.records().size(); ++i) {
    const double due = static_cast<double>(i) * 100;
    scene.records()[i] = answered(due, every(10, kTokens, due + 100), due + 200);
    scene.records()[i].due = at_ms(due);
    scene.records()[i].prompt_hash = i;
  }
  scene.plan.arrivals.rate = 10;
  scene.plan.max_concurrency = 0;
  return scene;
}

std::set<std::string> codes(const Analysis& analysis) {
  std::set<std::string> found;
  for (const Warning& each : analysis.warnings) found.insert(std::string(name_of(each.code)));
  return found;
}

event::RequestRecord broken(const event::RequestRecord& was, Failure why) {
  event::RequestRecord record =
      failure(to_millis((*was.written).time_since_epoch()), to_millis((*was.end).time_since_epoch()), why);
  record.prompt_hash = was.prompt_hash;
  return record;
}

}  // namespace

TEST_CASE("a closed loop of four one-second requests obeys Little's law: 4 in flight = 4 a second × 1 s") {
  const Analysis analysis = closed_loop(5).analysis();
  CHECK(analysis.in_flight_mean == doctest::Approx(4));
  CHECK(analysis.in_flight_peak == 4);
  CHECK(analysis.latency(Latency::e2e).mean == ms(1000));
  CHECK(analysis.rates.requests_per_s.full == doctest::Approx(4));
  CHECK(analysis.achieved_per_s == doctest::Approx(4));
  CHECK(analysis.rates.requests_per_s.steady == doctest::Approx(4));
  CHECK(analysis.rates.output_tokens_per_s.full == doctest::Approx(40));
  CHECK(analysis.rates.total_tokens_per_s.full == doctest::Approx(440));
  CHECK(analysis.peak_output_tokens_per_s == doctest::Approx(40).epsilon(0.11));  // an event on the edge of a bin
  CHECK(analysis.latency(Latency::ttft).at(0.99)->value == ms(100));
  CHECK(analysis.latency(Latency::tpot).mean == ms(100));
  CHECK(analysis.latency(Latency::ntpot).mean == ms(100));
  CHECK(analysis.latency(Latency::icl).n == 20 * 9);
  CHECK(analysis.full.length() == ms(5000));
  CHECK_FALSE(analysis.offered_per_s.has_value());
  CHECK_FALSE(analysis.schedule_met.has_value());
}

TEST_CASE("an open loop that leaves on time achieves its rate and meets its schedule") {
  const Analysis analysis = open_loop().analysis();
  CHECK(analysis.offered_per_s == 10.0);
  CHECK(analysis.achieved_per_s == doctest::Approx(10));  // 699 gaps in 69.9 s
  CHECK(analysis.schedule_met == true);
  CHECK(analysis.in_flight_mean == doctest::Approx(700 * 0.2 / 70.1));  // Little's law over the whole run
  CHECK(analysis.in_flight_peak == 2);
}

TEST_CASE("P99 of the lateness decides whether a schedule was met: 7 late of 700 are forgiven, 8 are not") {
  Scene scene = open_loop();
  for (std::size_t i = 0; i < 7; ++i) scene.records()[i * 50].written = *scene.records()[i * 50].due + ms(20);
  CHECK(scene.analysis().schedule_met == true);
  scene.records()[399].written = *scene.records()[399].due + ms(20);
  CHECK(scene.analysis().schedule_met == false);
}

TEST_CASE("failures are counted by class, and add up with the successes") {
  Scene scene = closed_loop(3);
  const Failure classes[] = {Failure::http_status, Failure::http_status, Failure::truncated, Failure::timeout_idle};
  for (std::size_t i = 0; i < 4; ++i) scene.records()[i] = broken(scene.records()[i], classes[i]);
  scene.records()[5].resends = 2;
  const Analysis analysis = scene.analysis();
  CHECK(analysis.attempted == 12);
  CHECK(analysis.succeeded == 8);
  CHECK(analysis.resent == 2);
  CHECK(analysis.failed[static_cast<std::size_t>(Failure::none)] == 0);
  CHECK(analysis.failed[static_cast<std::size_t>(Failure::http_status)] == 2);
  CHECK(analysis.failed[static_cast<std::size_t>(Failure::truncated)] == 1);
  CHECK(analysis.failed[static_cast<std::size_t>(Failure::timeout_idle)] == 1);
  CHECK(analysis.latency(Latency::e2e).n == 9);  // the time-out counts, as a bound
  CHECK(analysis.latency(Latency::e2e).censored == 1);
}

TEST_CASE("a clean run, closed or open, warns of nothing") {
  CHECK(codes(closed_loop(175).analysis()).empty());
  CHECK(codes(open_loop().analysis()).empty());
  CHECK(closed_loop(175).analysis().instrument.verdict == Verdict::ok);
}

TEST_CASE("each fault planted in a clean run raises its own warning and no other") {
  struct Planted {
    std::string code;
    std::function<void(Scene&)> plant;
  };
  const auto flag = [](Flag which) { return [which](Scene& scene) { scene.records()[7].flags.set(which); }; };
  const std::vector<Planted> faults{
      {"interrupted", [](Scene& scene) { scene.run.was_interrupted = true; }},
      {"no_schedule", [](Scene& scene) { scene.plan.max_concurrency = 0; }},
      {"concurrency_not_reached", [](Scene& scene) { scene.plan.max_concurrency = 5; }},
      {"few_samples", [](Scene& scene) { scene.records().resize(660); }},
      {"failures", [](Scene& scene) { scene.records()[3] = broken(scene.records()[3], Failure::reset); }},
      {"short_outputs", flag(Flag::short_output)},
      {"burst_streams", flag(Flag::burst_stream)},
      {"not_streamed", flag(Flag::not_streamed)},
      {"empty_outputs", flag(Flag::empty_output)},
      {"malformed_frames", flag(Flag::malformed_frame)},
      {"stale_reuse", [](Scene& scene) { scene.records()[7].resends = 1; }},
      {"tokens_not_counted", [](Scene& scene) { scene.records()[7].n_out.reset(); }},
      {"no_kernel_stamps", [](Scene& scene) { scene.run.loaders[0].has_kernel_stamps = false; }},
      {"no_keep_alive", [](Scene& scene) { scene.run.loaders[0].reused_connections = false; }},
      {"clock_step", [](Scene& scene) { scene.run.loaders[0].clock_steps = 1; }},
      {"multi_token_chunks",
       [](Scene& scene) {
         for (auto& each : scene.records()) each.n_out = each.max_tokens = 2 * kTokens;
       }},
      {"output_lengths_differ",
       [](Scene& scene) {
         scene.shape.ignore_eos = false;
         for (auto& each : scene.records()) each.max_tokens = kTokens + 1;
       }},
      {"coalesced_by_transport",
       [](Scene& scene) {
         for (auto& each : scene.records()) {
           for (std::size_t i = 1; i < kTokens - 1; ++i) each.tokens[i].at = each.tokens[0].at;
         }
       }},
  };
  for (const Planted& each : faults) {
    Scene scene = closed_loop(175);
    each.plant(scene);
    CAPTURE(each.code);
    CHECK(codes(scene.analysis()) == std::set<std::string>{each.code});
  }
}

TEST_CASE("time-outs and prompts beyond the context are failures that are named as well") {
  Scene scene = closed_loop(175);
  scene.records()[3] = broken(scene.records()[3], Failure::timeout_request);
  CHECK(codes(scene.analysis()) == std::set<std::string>{"failures", "timeouts"});
  scene.records()[3].failure = Failure::http_status;
  scene.records()[3].sub_class = event::SubClass::context_length;
  CHECK(codes(scene.analysis()) == std::set<std::string>{"failures", "context_length"});
}

TEST_CASE("a schedule that was not met is said, with the lag that made the client the bottleneck") {
  Scene scene = open_loop();
  for (auto& each : scene.records()) each.written = *each.due + ms(20);
  const Analysis analysis = scene.analysis();
  CHECK(codes(analysis) == std::set<std::string>{"schedule_not_met"});
  CHECK(analysis.instrument.verdict == Verdict::bottleneck);
}

TEST_CASE("a success that was planned to be held back is the plan's doing: late, but not the client's lag") {
  Scene scene = open_loop();
  for (auto& each : scene.records()) {
    each.written = each.dequeued = *each.due + ms(20);
    each.was_held = true;
  }
  CHECK(scene.analysis().schedule_met == false);
  CHECK(scene.analysis().instrument.verdict == Verdict::ok);
}

TEST_CASE("a warm-up that is cut off leaves the rate and the concurrency of the rest as they were") {
  Scene scene = closed_loop(60);
  // Slots out of step, as they are in life: one begins each quarter of a second.
  for (std::size_t i = 0; i < scene.records().size(); ++i) {
    const double from = static_cast<double>(i) * kTook / kSlots;
    scene.records()[i] = answered(from, every(100, kTokens, from + 100), from + kTook);
  }
  for (std::size_t i = 0; i < 40; ++i) {  // in the first ten seconds only half of the tokens come
    auto& record = scene.records()[i];
    record.tokens.resize(kTokens / 2);
    record.n_out = kTokens / 2;
    record.last_token = record.tokens.back().at;
  }
  scene.plan.finds_warmup = true;
  const Analysis analysis = scene.analysis();
  REQUIRE(analysis.warmup.has_value());
  CHECK(analysis.warmup->verdict == stats::SteadyVerdict::steady);
  CHECK(analysis.warmup->length >= ms(9000));
  CHECK(analysis.warmup_requests + analysis.attempted == 240);
  // 750 ms of ramp at the end count 0.375 of their time at full level.
  const double seconds = to_seconds(analysis.full.length());
  CHECK(analysis.in_flight_mean == doctest::Approx(4 * (seconds - 0.375) / seconds).epsilon(0.001));
  CHECK(analysis.rates.output_tokens_per_s.steady == doctest::Approx(40).epsilon(0.01));
  CHECK(analysis.rates.output_tokens_per_s.full == doctest::Approx(40 * (seconds - 0.375) / seconds).epsilon(0.003));
}

TEST_CASE("a warm-up that was not found, or a level that moves, is said") {
  Scene brief = closed_loop(3);
  brief.plan.finds_warmup = true;
  CHECK(codes(brief.analysis()) == std::set<std::string>{"no_warmup_found", "few_samples"});
  Scene falling = closed_loop(175);
  falling.plan.finds_warmup = true;
  for (std::size_t i = 0; i < falling.records().size(); ++i) {
    auto& record = falling.records()[i];
    record.n_out = record.max_tokens = static_cast<std::uint32_t>(2000 - i);
  }
  CHECK(codes(falling.analysis()).count("drifting") == 1);
}

TEST_CASE("a peak of tokens is not shown where the tokens of an answer are not known") {
  Scene scene = closed_loop(5);
  scene.records()[3].n_out.reset();
  CHECK_FALSE(scene.analysis().rates.output_tokens_per_s.full.has_value());
  CHECK_FALSE(scene.analysis().peak_output_tokens_per_s.has_value());
}

TEST_CASE("prompts of different length are also reported by class, so that the long ones cannot hide") {
  Scene scene = closed_loop(5);
  CHECK(scene.analysis().buckets.empty());
  for (std::size_t i = 0; i < 5; ++i) {
    scene.records()[i].prompt_tokens = 1024;
    scene.records()[i].first_token = *scene.records()[i].written + ms(900);
  }
  const auto buckets = scene.analysis().buckets;
  REQUIRE(buckets.size() == 2);
  CHECK(buckets[0].from == 64);
  CHECK(buckets[0].to == 127);
  CHECK(buckets[0].n == 15);
  CHECK(buckets[0].ttft.at(0.5)->value == ms(100));
  CHECK(buckets[1].from == 1024);
  CHECK(buckets[1].n == 5);
  CHECK(buckets[1].ttft.at(0.5)->value == ms(900));
}

TEST_CASE("a run without any request is an analysis without figures, not a crash") {
  Scene scene;
  const Analysis analysis = scene.analysis();
  CHECK(analysis.attempted == 0);
  CHECK_FALSE(analysis.latency(Latency::ttft).mean.has_value());
  CHECK_FALSE(analysis.rates.requests_per_s.full.has_value());
  CHECK_FALSE(analysis.achieved_per_s.has_value());
}

}  // namespace scoville::analyse
