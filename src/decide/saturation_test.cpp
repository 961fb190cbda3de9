#include "decide/saturation.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "decide/made_queue.hpp"

namespace scoville::decide {
namespace {

SaturationRule rule_of(double limit_s, double share, double start) {
  SaturationRule rule;
  rule.slos = {ttft_within(limit_s, share)};
  rule.start = start;
  rule.request_s = 0.05;
  return rule;
}

/// Until the end, every step with this answer.
template <class Measure>
Saturation searched(const SaturationRule& rule, Measure measure) {
  SaturationSearch search(rule);
  while (search.next()) search.take(measure(*search.next()), false);
  return search.result();
}

MadeQueue constant_queue() {
  MadeQueue queue;
  queue.is_constant = true;
  return queue;
}

/// Every request takes this long.
analyse::SloSample level(const StepAsk& ask, double latency) {
  analyse::SloSample out;
  for (std::size_t i = 0; i < ask.requests; ++i) out.at.push_back(static_cast<double>(i) / ask.load);
  out.first_token.assign(ask.requests, latency);
  out.end = out.first_token;
  out.latencies = {out.first_token};
  return out;
}

}  // namespace

TEST_CASE("constant arrivals: slots ÷ service time within 3 %, whatever the limit and the start") {
  // 4 ÷ 50 ms = 80. With a limit of half a second the first steps above it miss nothing: the growth of the wait tells.
  std::mt19937_64 random(1);
  for (const double limit : {0.006, 0.055, 0.5, 5.0}) {
    for (const double start : {3.0, 19.0, 20.0, 77.0, 500.0}) {
      CAPTURE(limit);
      CAPTURE(start);
      const Saturation found = searched(rule_of(limit, 0.99, start), [&](const StepAsk& ask) {
        return measured_at(constant_queue(), ask.load, ask.requests, random);
      });
      REQUIRE(found.outcome == SearchOutcome::found);
      CHECK(*found.value <= 80 * 1.003);
      CHECK(*found.value >= 80 * 0.97);
      REQUIRE(found.high.has_value());
      CHECK(*found.high > *found.value);
      CHECK(*found.high < 80 * 1.04);
    }
  }
}

TEST_CASE("users are told apart one by one") {
  // Four slots of 50 ms: the seventh user waits for at most 2 rounds. Up to 4 users nobody waits.
  for (const std::size_t slots : {1U, 4U, 7U}) {
    CAPTURE(slots);
    MadeQueue queue;
    queue.servers = slots;
    SaturationRule rule = rule_of(0.02, 0.95, 1);
    rule.is_open_loop = false;
    rule.requests_per_s = 20;
    const Saturation found = searched(rule, [&](const StepAsk& ask) {
      return measured_with(queue, static_cast<std::size_t>(ask.load), ask.requests);
    });
    REQUIRE(found.outcome == SearchOutcome::found);
    CHECK(*found.value == slots);
    CHECK(found.high == slots + 1.0);
  }
}

TEST_CASE("the accepted load was measured anew, in a step planned beforehand, at half of α") {
  std::mt19937_64 random(1);
  const Saturation found = searched(rule_of(0.055, 0.99, 20), [&](const StepAsk& ask) {
    return measured_at(constant_queue(), ask.load, ask.requests, random);
  });
  REQUIRE(found.confirmed_by.has_value());
  const SaturationStep& last = found.steps.back();
  CHECK(*found.confirmed_by == found.steps.size() - 1);
  CHECK(last.ask.purpose == Purpose::confirm);
  CHECK(last.ask.load == *found.value);
  CHECK(last.pooled == 1);
  CHECK(last.level == doctest::Approx(0.975));
  CHECK(last.judgement.slos[0].at_least >= 0.99);
}

TEST_CASE("what the search found by luck is not confirmed: the next smaller load is, at half the α again") {
  // Up to 100/s everything is fine until somebody looks again; only below 70 it is.
  const Saturation found = searched(rule_of(0.5, 0.9, 10), [&](const StepAsk& ask) {
    const bool is_fine = ask.load < 70 || (ask.purpose != Purpose::confirm && ask.load <= 80);
    return level(ask, is_fine ? 0.1 : 1.0);
  });
  REQUIRE(found.outcome == SearchOutcome::found);
  CHECK(*found.value < 70);
  std::vector<double> levels, loads;
  for (const SaturationStep& each : found.steps) {
    if (each.ask.purpose != Purpose::confirm) continue;
    levels.push_back(each.level);
    loads.push_back(each.ask.load);
  }
  REQUIRE(levels.size() >= 3);
  CHECK(levels[0] == doctest::Approx(0.975));
  CHECK(levels[1] == doctest::Approx(0.9875));
  CHECK(levels[2] == doctest::Approx(0.99375));
  CHECK(std::is_sorted(loads.rbegin(), loads.rend()));
  CHECK(found.high == *std::min_element(loads.begin(), loads.end() - 1));
}

TEST_CASE("no load is tried above the most, and it is said that the search ended there") {
  SaturationRule rule = rule_of(0.5, 0.9, 10);
  rule.most = 50;
  const Saturation found = searched(rule, [](const StepAsk& ask) {
    CHECK(ask.load <= 50);
    return level(ask, 0.1);
  });
  CHECK(found.outcome == SearchOutcome::at_least);
  CHECK(found.limit == SearchLimit::most);
  CHECK(*found.value == 50);
  CHECK_FALSE(found.high.has_value());
}

TEST_CASE("where even the smallest load misses, none is the answer") {
  const Saturation rate = searched(rule_of(0.5, 0.9, 10), [](const StepAsk& ask) { return level(ask, 1.0); });
  CHECK(rate.outcome == SearchOutcome::none);
  CHECK_FALSE(rate.value.has_value());
  SaturationRule users = rule_of(0.5, 0.9, 4);
  users.is_open_loop = false;
  users.requests_per_s = 20;
  const Saturation closed = searched(users, [](const StepAsk& ask) { return level(ask, 1.0); });
  CHECK(closed.outcome == SearchOutcome::none);
  CHECK(closed.steps.back().ask.load == 1);
}

TEST_CASE("a load too small for so many requests in the time allowed: cannot tell, and how long it would take") {
  SaturationRule rule = rule_of(0.5, 0.99, 1);
  rule.max_step_s = 60;  // P99 needs 299 requests: below 5 a second no step can show it
  const Saturation found = searched(rule, [](const StepAsk& ask) { return level(ask, ask.load > 3 ? 1.0 : 0.1); });
  CHECK(found.outcome == SearchOutcome::cannot_tell);
  CHECK(found.limit == SearchLimit::too_few_requests);
  REQUIRE(found.needed_requests.has_value());
  CHECK(*found.needed_requests >= 299);
  CHECK(*found.needed_s > 60);
}

TEST_CASE("steps of a busy client prove nothing: three tries, and the load is out of reach") {
  SaturationSearch search(rule_of(0.5, 0.9, 10));
  std::size_t tries = 0;
  while (search.next()) {
    const StepAsk ask = *search.next();
    const bool is_busy = ask.load > 60;
    tries += ask.load == 80 ? 1 : 0;
    search.take(level(ask, 0.1), is_busy);
  }
  const Saturation& found = search.result();
  CHECK(tries == 3);
  CHECK(found.outcome == SearchOutcome::at_least);
  CHECK(found.limit == SearchLimit::client);
  CHECK(*found.value <= 60);
  CHECK(*found.value >= 60 / 1.02);
  CHECK(*found.client_limit > 60);
  CHECK_FALSE(found.high.has_value());  // nothing was shown not to hold
}

TEST_CASE("a client that is too busy for what one user makes is too busy for any load") {
  SaturationSearch search(rule_of(0.5, 0.9, 20));  // one user: a request of 50 ms after the other
  while (search.next()) search.take(level(*search.next(), 0.05), true);
  CHECK(search.result().steps.size() == 3);
  CHECK(search.result().outcome == SearchOutcome::cannot_tell);
  CHECK(search.result().limit == SearchLimit::client);
}

TEST_CASE("a moment in which the client was busy is tried again") {
  SaturationSearch search(rule_of(0.5, 0.9, 10));
  bool was_busy = false;
  while (search.next()) {
    const StepAsk ask = *search.next();
    const bool is_busy = !was_busy && ask.load == 20;
    was_busy = was_busy || is_busy;
    search.take(level(ask, ask.load > 50 ? 1.0 : 0.1), is_busy);
  }
  CHECK(was_busy);
  CHECK(search.result().outcome == SearchOutcome::found);
  CHECK_FALSE(search.result().client_limit.has_value());
}

TEST_CASE("who stops a search keeps its bracket") {
  SaturationSearch search(rule_of(0.5, 0.9, 10));
  for (int i = 0; i < 5; ++i) {
    const StepAsk ask = *search.next();
    search.take(level(ask, ask.load > 50 ? 1.0 : 0.1), false);
  }
  search.stop();
  CHECK_FALSE(search.next().has_value());
  CHECK(search.result().limit == SearchLimit::stopped);
  CHECK(search.result().steps.size() == 5);
  CHECK(*search.result().low_seen >= 40);
  CHECK(*search.result().high_seen <= 80);
}

TEST_CASE("a step holds its warm-in beside what is judged, and never less than all users once") {
  SaturationRule rule = rule_of(0.5, 0.9, 40);
  rule.is_open_loop = false;
  rule.requests_per_s = 1;
  const StepAsk users = *SaturationSearch(rule).next();
  CHECK(users.warm_in >= 40);
  CHECK(users.requests > users.warm_in);
  const StepAsk rate = *SaturationSearch(rule_of(0.5, 0.9, 40)).next();
  CHECK(rate.warm_in == 40);  // a tenth of ten seconds at 40 a second
  CHECK(rate.requests == 440);
}

}  // namespace scoville::decide
