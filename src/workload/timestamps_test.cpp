#include "workload/timestamps.hpp"

#include <doctest/doctest.h>

namespace scoville::workload {

using namespace std::chrono_literals;

// date -u -d '2026-11-30T10:15:30Z' +%s → 1796033730
constexpr Nanos kThen = 1'796'033'730s;

TEST_CASE("numbers since 1970 are seconds, ms, µs or ns by their size") {
  CHECK(epoch_time(1796033730) == kThen);
  CHECK(epoch_time(1796033730.5) == kThen + 500ms);
  CHECK(epoch_time(1796033730500) == kThen + 500ms);
  CHECK(epoch_time(1796033730500000) == kThen + 500ms);
  CHECK_FALSE(epoch_time(12.5));
  CHECK_FALSE(epoch_time(-1));
  CHECK_FALSE(epoch_time(1e300));
}

TEST_CASE("ISO 8601 with zone, without, with blank, with fraction") {
  CHECK(parse_time("2026-11-30T10:15:30Z") == kThen);
  CHECK(parse_time("2026-11-30T18:15:30+08:00") == kThen);
  CHECK(parse_time("2026-11-30 05:15:30.250 -0500") == kThen + 250ms);
  CHECK(parse_time("2026-11-30 10:15:30,125") == kThen + 125ms);
  CHECK(parse_time("1796033730.5") == kThen + 500ms);
}

TEST_CASE("what is no time is none") {
  for (const char* text : {"", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-30",
                           "2026-11-30T25:00:00Z", "2026-11-30T10:15:30Zulu", "2026-11-30T10:15:30+8"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_time(text));
  }
}

TEST_CASE("times of access logs have their zone") {
  CHECK(parse_access_time("30/Nov/2026:10:15:30 +0000") == kThen);
  CHECK(parse_access_time("30/Nov/2026:18:15:30 +0800") == kThen);
  CHECK_FALSE(parse_access_time("30/Nop/2026:18:15:30 +0800"));
  CHECK_FALSE(parse_access_time("30/Nov/2026"));
}

}  // namespace scoville::workload
