#include "base/byte_size.hpp"

#include <doctest/doctest.h>

using namespace scoville;

TEST_CASE("sizes are read in decimal and in binary units") {
  CHECK(parse_byte_size("65536") == 65536);
  CHECK(parse_byte_size("500MB") == 500'000'000);
  CHECK(parse_byte_size("1.5 GB") == 1'500'000'000);
  CHECK(parse_byte_size("8GiB") == 8'589'934'592);
  CHECK(parse_byte_size("2KiB") == 2048);
  CHECK(parse_byte_size("0") == 0);
}

TEST_CASE("what is no size is none") {
  for (const char* text : {"", "x", "-1", "8 gib", "8GiBs", "1e3", "nan", "inf", "MB", "10000000000 GB", " 5"})
    CHECK_MESSAGE(!parse_byte_size(text), text);
}

TEST_CASE("a size is told to three digits") {
  CHECK(format_byte_size(65) == "65 B");
  CHECK(format_byte_size(1'234'567) == "1.23 MB");
}
