#include "base/json.hpp"

#include <doctest/doctest.h>

namespace scoville {

TEST_CASE("JSON keeps the order of keys and the shortest form of numbers") {
  const json::value value = {{"b", 1}, {"a", {0.1, 50.0, nullptr, "x\"y"}}, {"o", json::object()}};
  CHECK(compact(value) == R"({"b":1,"a":[0.1,50,null,"x\"y"],"o":{}})");
  CHECK(pretty(value) ==
        "{\n  \"b\": 1,\n  \"a\": [\n    0.1,\n    50,\n    null,\n    \"x\\\"y\"\n  ],\n  \"o\": {}\n}\n");
}

TEST_CASE("what is missing is null, not 0") {
  CHECK(number_or_null(std::nullopt).is_null());
  CHECK(nanos_or_null(std::nullopt).is_null());
  CHECK(compact(millis_or_null(std::chrono::microseconds(1500))) == "1.5");
}

}  // namespace scoville
