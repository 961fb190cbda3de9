#include "evidence/json_sequence.hpp"

#include <doctest/doctest.h>

namespace scoville::evidence {

TEST_CASE("values one after another, with the line on which each begins") {
  const auto got = read_json_sequence("f", "{\"a\": 1}\n{\"a\": 2}{\"a\": 3}\n\n [4]");
  REQUIRE(got);
  REQUIRE(got->size() == 4);
  CHECK((*got)[1].value.at("a") == 2);
  CHECK((*got)[0].line == 1);
  CHECK((*got)[2].line == 2);
  CHECK((*got)[3].line == 4);
}

TEST_CASE("Python's NaN and Infinity are null, but in a text they are words") {
  const auto got = read_json_sequence("f", R"({"a": NaN, "b": -Infinity, "c": "NaN \" Infinity", "d": [Infinity]})");
  REQUIRE(got);
  const json::object& object = got->front().value.as_object();
  CHECK(object.at("a").is_null());
  CHECK(object.at("b").is_null());
  CHECK(object.at("c") == "NaN \" Infinity");
  CHECK(object.at("d").as_array()[0].is_null());
}

TEST_CASE("what is not JSON names the line") {
  const auto got = read_json_sequence("f", "{\"a\": 1}\n{\"a\":\n x}");
  REQUIRE_FALSE(got);
  CHECK(got.error().message.find("f, line 3: ") == 0);
  CHECK_FALSE(read_json_sequence("f", "{\"a\": 1"));
  CHECK_FALSE(read_json_sequence("f", std::string(100'000, '[')));
}

}  // namespace scoville::evidence
