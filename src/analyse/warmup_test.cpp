#include "analyse/warmup.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {

using stats::SteadyVerdict;

/// One request a second, each with the tokens of its second: `rates[i]` of them, evenly.
std::vector<event::RequestRecord> run_at(const std::vector<int>& rates) {
  std::vector<event::RequestRecord> records;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double from = static_cast<double>(i) * 1000, gap = 1000.0 / rates[i];
    records.push_back(answered(from, every(gap, static_cast<std::size_t>(rates[i]), from + gap / 2), from + 1000));
  }
  return records;
}

/// 60 s at 100 tokens/s, ± 1 in turn; the first `slow` of them at half of that.
std::vector<int> minute(std::size_t slow) {
  std::vector<int> rates;
  for (int i = 0; i < 60; ++i) rates.push_back((static_cast<std::size_t>(i) < slow ? 50 : 100) + (i * 7 % 3 - 1));
  return rates;
}

FoundWarmup found_in(const std::vector<event::RequestRecord>& records) {
  return filled(WarmupFinder(pointers(records), {at_ms(0), *records.back().end}), records).found();
}

/// `n` requests 100 ms apart with a TTFT of 10 ms, the first `slow` of them 200 ms.
std::vector<event::RequestRecord> scheduled(std::size_t n, std::size_t slow) {
  std::vector<event::RequestRecord> records;
  for (std::size_t i = 0; i < n; ++i) {
    const double due = static_cast<double>(i) * 100, first = due + (i < slow ? 200 : 10) + static_cast<double>(i % 2);
    records.push_back(answered(due, {first}, first + 500));
    records.back().due = at_ms(due);
  }
  return records;
}

}  // namespace

TEST_CASE("a run that was steady from its first second loses nothing") {
  const FoundWarmup found = found_in(run_at(minute(0)));
  CHECK(found.verdict == SteadyVerdict::steady);
  CHECK(found.length == Nanos::zero());
  CHECK(found.bin == ms(1000));
}

TEST_CASE("a planted warm-up is found and cut, to within a batch of MSER-5") {
  const FoundWarmup found = found_in(run_at(minute(10)));
  CHECK(found.verdict == SteadyVerdict::steady);
  CHECK(found.length == ms(10000));
  CHECK(found_in(run_at(minute(12))).length == ms(15000));
}

TEST_CASE("a rate that keeps falling is drifting, not steady") {
  std::vector<int> rates;
  for (int i = 0; i < 60; ++i) rates.push_back(160 - i);
  CHECK(found_in(run_at(rates)).verdict == SteadyVerdict::drifting_down);
}

TEST_CASE("the drain after the last issue takes no part: a slow tail does not look like drift") {
  auto records = run_at(minute(0));
  records.push_back(answered(59500, every(1000, 40, 60000), 100000));  // one long answer, alone, for 40 s
  const FoundWarmup found = filled(WarmupFinder(pointers(records), {at_ms(0), at_ms(100000)}), records).found();
  CHECK(found.verdict == SteadyVerdict::steady);
  CHECK(found.length < ms(1000));
}

TEST_CASE("the last issue is the latest one, not that of the highest index: threads run ahead of each other") {
  auto records = run_at(minute(10));
  std::swap(records[1], records.back());
  CHECK(filled(WarmupFinder(pointers(records), {at_ms(0), at_ms(60000)}), records).found().length == ms(10000));
}

TEST_CASE("a run of two seconds says nothing about its warm-up") {
  CHECK(found_in(run_at({100, 100})).verdict == SteadyVerdict::not_found);
}

TEST_CASE("with a schedule the steady part begins after the slow first requests and ends with the last issue") {
  const auto records = scheduled(40, 5);
  const auto window = steady_by_issue(pointers(records));
  REQUIRE(window.has_value());
  CHECK(window->from == at_ms(500));
  CHECK(window->to == at_ms(3900));  // the drain of half a second is not in it
}

TEST_CASE("requests that fail at the end belong to the steady part: a crash does not shorten it") {
  auto records = scheduled(40, 0);
  for (std::size_t i = 20; i < 40; ++i) {
    records[i] = failure(static_cast<double>(i) * 100, static_cast<double>(i) * 100 + 1, event::Failure::connect);
    records[i].due = records[i].written;
  }
  const auto window = steady_by_issue(pointers(records));
  REQUIRE(window.has_value());
  CHECK(window->to == at_ms(3900));
}

TEST_CASE("fewer than 20 answers have no steady part to find") {
  CHECK_FALSE(steady_by_issue(pointers(scheduled(19, 0))).has_value());
  CHECK(steady_by_issue(pointers(scheduled(20, 0))).has_value());
}

}  // namespace scoville::analyse
