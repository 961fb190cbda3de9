#include "decide/fleet.hpp"

#include <doctest/doctest.h>

#include "text/catalogue.hpp"

namespace scoville::decide {
namespace {

std::vector<telemetry::Scrape> scrapes(const std::vector<std::string>& texts) {
  std::vector<telemetry::Scrape> out;
  for (const std::string& each : texts)
    out.push_back({std::chrono::minutes(out.size()), telemetry::parse_exposition(each).samples});
  return out;
}

MetricAliases aliases() {
  const Result<MetricAliases> out = read_aliases();
  REQUIRE(out.ok());
  return *out;
}

const std::string kVllm = "vllm:request_success_total{finished_reason=\"stop\"} ";

}  // namespace

TEST_CASE("the first way that both fleets show is used for both") {
  const auto sglang = scrapes({"sglang:num_requests_total 0\nsglang:num_aborted_requests_total 0\n",
                               "sglang:num_requests_total 10\nsglang:num_aborted_requests_total 1\n"});
  const auto pair = read_fleets(sglang, sglang, aliases());
  REQUIRE(pair.ok());
  CHECK(pair->engine == "sglang");
  CHECK(pair->base.requests == std::vector<double>{0, 10});
  CHECK(*pair->base.failed == std::vector<double>{0, 1});
  const auto vllm = scrapes({kVllm + "0\n", kVllm + "10\n"});
  const auto mixed = read_fleets(sglang, vllm, aliases());
  REQUIRE_FALSE(mixed.ok());
  CHECK(mixed.error().code == ErrorCode::unsupported);
}

TEST_CASE("failures that nothing counts are unknown, not none") {
  const auto bare = scrapes({kVllm + "0\n", kVllm + "10\n"});
  CHECK_FALSE(read_fleets(bare, bare, aliases())->base.failed.has_value());
  const auto web = scrapes(
      {kVllm + "0\nhttp_requests_total{status=\"2xx\"} 0\n", kVllm + "10\nhttp_requests_total{status=\"2xx\"} 10\n"});
  const auto pair = read_fleets(web, web, aliases());
  REQUIRE(pair->base.failed.has_value());
  CHECK(*pair->base.failed == std::vector<double>{0, 0});
}

TEST_CASE("vLLM's requests are those that ended, and those that the web server failed") {
  const auto seen =
      scrapes({kVllm + "0\nhttp_requests_total{status=\"5xx\"} 0\n",
               kVllm + "10\nvllm:request_success_total{finished_reason=\"error\"} 2\n"
                       "http_requests_total{status=\"5xx\"} 3\nhttp_requests_total{status=\"2xx\"} 10\n"});
  const auto pair = read_fleets(seen, seen, aliases());
  CHECK(pair->base.requests.back() == 15);
  CHECK(pair->base.failed->back() == 5);
}

TEST_CASE("a user's aliases go before the built-in ones, and are read strictly") {
  const auto own =
      read_aliases("ways: [{engine: mine, requests: {name: n}, failed: [{name: f}]}]\nttft: [{name: t}]\n", "a.yaml");
  REQUIRE(own.ok());
  CHECK(own->ways.front().engine == "mine");
  CHECK(own->latencies.at(FleetLatency::ttft).front().name == "t");
  text::set_language(text::Language::english);
  const auto bad = read_aliases("ways: [{engine: mine, request: {name: n}}]\n", "a.yaml");
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().message.starts_with("a.yaml:1: ways[0].request"));
}

// Buckets 0.1 s: 4, 0.5 s: 8, all: 10; one request failed besides.
TEST_CASE("misses are exact at a bucket's bound, and bounded between two") {
  const auto seen = scrapes({"sglang:num_requests_total 0\nsglang:num_aborted_requests_total 0\n",
                             "sglang:num_requests_total 11\nsglang:num_aborted_requests_total 1\n"
                             "sglang:time_to_first_token_seconds_bucket{le=\"0.1\"} "
                             "4\nsglang:time_to_first_token_seconds_bucket{le=\"0.5\"} 8\n"
                             "sglang:time_to_first_token_seconds_bucket{le=\"+Inf\"} 10\n"});
  const auto pair = read_fleets(seen, seen, aliases());
  REQUIRE(pair.ok());
  const auto at = [&](int millis) {
    return *misses(pair->base, FleetLatency::ttft, std::chrono::milliseconds(millis), 0, 1);
  };
  CHECK(at(500).is_exact());
  CHECK(at(500).low == 3);
  CHECK(at(500).trials == 11);
  CHECK(at(100).low == 7);
  CHECK(at(200).low == 3);   // all between 0.1 and 0.5 may be within 0.2 s
  CHECK(at(200).high == 7);  // or none
  CHECK(at(50).low == 7);
  CHECK(at(50).high == 11);
  CHECK(at(9000).low == 1);
  CHECK(at(9000).high == 3);
  CHECK_FALSE(misses(pair->base, FleetLatency::e2e, std::chrono::seconds(1), 0, 1).has_value());
}

TEST_CASE("one scrape of a side is no growth") {
  const auto two = scrapes({kVllm + "0\n", kVllm + "10\n"});
  const auto one = scrapes({kVllm + "0\n"});
  REQUIRE_FALSE(read_fleets(two, one, aliases()).ok());
  CHECK(read_fleets(two, one, aliases()).error().code == ErrorCode::invalid_argument);
}

}  // namespace scoville::decide
