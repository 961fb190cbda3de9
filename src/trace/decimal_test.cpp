#include "trace/decimal.hpp"

#include <doctest/doctest.h>

namespace scoville::trace {

TEST_CASE("microseconds become nanoseconds by their digits") {
  CHECK(nanos_of_micros("0") == 0);
  CHECK(nanos_of_micros("12.3456") == 12345);  // below a nanosecond: dropped
  CHECK(nanos_of_micros(" 1750000000000000.027\t") == 1750000000000000027);
  CHECK(nanos_of_micros("-1.5") == -1500);
  CHECK(nanos_of_micros("1.5e3") == 1500000);
  CHECK(nanos_of_micros("25E-1") == 2500);
  CHECK(nanos_of_micros("5e-9") == 0);
}

TEST_CASE("what is no number, or none that fits, is empty") {
  for (const char* text : {"", " ", ".", "-", "1.2.3", "1e", "1e99", "NaN", "12us", "99999999999999999999", "1e30"}) {
    CAPTURE(text);
    CHECK_FALSE(nanos_of_micros(text));
  }
}

}  // namespace scoville::trace
