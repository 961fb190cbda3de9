#include "plan/slo.hpp"

#include <doctest/doctest.h>

namespace scoville::plan {

using namespace std::chrono_literals;

TEST_CASE("an SLO is a metric, a share of all attempted requests and a limit") {
  const auto slos = parse_slos("ttft:p99:500ms,tpot:p95:50 e2el:p99.9:8s");
  REQUIRE(slos.ok());
  REQUIRE(slos->size() == 3);
  CHECK((*slos)[0].metric == SloMetric::ttft);
  CHECK((*slos)[0].share == doctest::Approx(0.99));
  CHECK((*slos)[0].limit == 500ms);
  CHECK((*slos)[0].text == "ttft:p99:500ms");
  CHECK((*slos)[1].metric == SloMetric::tpot);
  CHECK((*slos)[1].limit == 50ms);  // a bare number is ms, as with --goodput
  CHECK((*slos)[2].metric == SloMetric::e2e);
  CHECK((*slos)[2].share == doctest::Approx(0.999));
}

TEST_CASE("what is no SLO is refused with the form that was expected") {
  for (const char* text :
       {"", "ttft", "ttft:500ms", "ttft:p99:", "ttft:p99:x", "ttft:p0:5ms", "ttft:p100:5ms", "ttft:99:5ms",
        "speed:p99:5ms", "ttft:p99:0ms", "ttft:p99:-1s", "ttft:p99:5ms,,", "ttft:pnan:5ms"}) {
    CAPTURE(text);
    const auto slos = parse_slos(text);
    REQUIRE_FALSE(slos.ok());
    CHECK(slos.error().code == ErrorCode::invalid_argument);
    CHECK(slos.error().message.find("METRIC:pNN:LIMIT") != std::string::npos);
  }
}

TEST_CASE("one latency may have a limit at each of several shares, not two at one") {
  CHECK(parse_slos("ttft:p50:100ms,ttft:p99:500ms").ok());
  const auto twice = parse_slos("ttft:p99:100ms,ttft:p99:500ms");
  REQUIRE_FALSE(twice.ok());
  CHECK(twice.error().message == "ttft is limited twice at p99");
}

}  // namespace scoville::plan
