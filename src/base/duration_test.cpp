#include "base/duration.hpp"

#include <doctest/doctest.h>

namespace scoville {
using namespace std::chrono_literals;

TEST_CASE("a duration is read with its unit, a bare number in the unit asked for") {
  CHECK(parse_duration("50ms") == 50ms);
  CHECK(parse_duration("1.5s") == 1500ms);
  CHECK(parse_duration("200us") == 200us);
  CHECK(parse_duration("2m") == 120s);
  CHECK(parse_duration("0") == 0ns);
  CHECK(parse_duration("3") == 3s);
  CHECK(parse_duration("3", 1ms) == 3ms);
}

TEST_CASE("what is no duration is refused, never taken as zero") {
  for (const char* text : {"", "ms", "-1s", "1 s", "1parsec", "nan", "inf", "1e400s", "5s5", "99999999999h"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text).has_value());
  }
}

TEST_CASE("a duration prints three digits and the unit that keeps it readable") {
  CHECK(format_duration(850ns) == "850 ns");
  CHECK(format_duration(12345ns) == "12.3 µs");
  CHECK(format_duration(4560us) == "4.56 ms");
  CHECK(format_duration(999600us) == "1.00 s");
  CHECK(format_duration(185s) == "3 min 05 s");
  CHECK(format_duration(-1500us) == "-1.50 ms");
}

}  // namespace scoville
