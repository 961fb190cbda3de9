#include "dataset/csv.hpp"

#include <doctest/doctest.h>

#include "dataset/csv_trace.hpp"

namespace scoville::dataset {
namespace {

using Fields = std::vector<std::string>;

Nanos time_of(std::string_view text) {
  const auto time = parse_timestamp(text);
  REQUIRE(time.has_value());
  return *time;
}

}  // namespace

TEST_CASE("quotes, doubled quotes, a line feed within them, CRLF, a byte order mark and empty lines are read") {
  CsvReader reader(
      "\xEF\xBB\xBF"
      "a,b\r\n\r\n\"1,5\",\"say \"\"so\"\"\"\n\"two\nlines\",\nx,y");
  REQUIRE(reader.next());
  CHECK(reader.fields() == Fields{"a", "b"});
  REQUIRE(reader.next());
  CHECK(reader.fields() == Fields{"1,5", "say \"so\""});
  CHECK(reader.line() == 3);
  REQUIRE(reader.next());
  CHECK(reader.fields() == Fields{"two\nlines", ""});
  CHECK(reader.line() == 4);
  REQUIRE(reader.next());
  CHECK(reader.fields() == Fields{"x", "y"});
  CHECK(reader.line() == 6);
  CHECK_FALSE(reader.next());
}

TEST_CASE("a quote that never ends takes the rest, and the reader ends") {
  CsvReader reader("a,\"b\nc,d");
  REQUIRE(reader.next());
  CHECK(reader.fields() == Fields{"a", "b\nc,d"});
  CHECK_FALSE(reader.next());
}

TEST_CASE("a column is found by its name, capitals and blanks apart") {
  const Fields head{" Request tokens", "TIMESTAMP"};
  CHECK(column(head, "request tokens") == 0);
  CHECK(column(head, "Timestamp") == 1);
  CHECK_FALSE(column(head, "Time").has_value());
}

TEST_CASE("time stamps are read to the nanosecond, and those with an offset mean the same instant") {
  // 2023-11-16 is day 19677 since 1970: 53 years of 365 days, 13 leap days, 319 days of 2023.
  const std::int64_t day = 19677LL * 86400;
  CHECK(time_of("2023-11-16 18:15:46.6805900").count() == (day + 18 * 3600 + 15 * 60 + 46) * 1000000000LL + 680590000);
  CHECK(time_of("2024-05-10 00:00:00.009930+00:00") - time_of("2024-05-10 00:00:00") == Nanos(9930000));
  CHECK(time_of("2024-05-10T02:00:00+02:00") == time_of("2024-05-10 00:00:00Z"));
  for (const char* bad : {"", "2023-11-16", "2023-02-30 00:00:00", "2023-11-16 24:00:00", "2023-11-16 18:15:46.",
                          "16/11/2023 18:15:46", "2023-11-16 18:15:46 PM", "0123456789"}) {
    CHECK_FALSE(parse_timestamp(bad).has_value());
  }
}

}  // namespace scoville::dataset
