#include "probe/shape_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace scoville;
using namespace scoville::probe;

TEST_CASE("every kind and level has its shapes, built in") {
  for (const char* kind : {"cpu", "accelerator"}) {
    std::size_t before = 0;
    for (const Level level : {Level::quick, Level::standard, Level::full}) {
      const ShapeSet& set = built_in_shapes(kind, level);
      CHECK(set.gemm.size() > before);  // a longer level measures more
      before = set.gemm.size();
      CHECK(set.latency_bytes.size() >= 3);
      CHECK(set.timing.contains("most_time_ms"));
      CHECK_FALSE(set.attention.empty());
    }
  }
}

TEST_CASE("a matrix of a language model is its multiples of the hidden size") {
  const ShapeSet& set = built_in_shapes("cpu", Level::quick);
  const auto down =
      std::ranges::find_if(set.gemm, [](const json::object& each) { return each.at("label") == "llm: h 2048 down"; });
  REQUIRE(down != set.gemm.end());
  CHECK(down->at("m") == 1);
  CHECK(down->at("n") == 2048);
  CHECK(down->at("k") == 7168);  // 3.5 h
}

TEST_CASE("a file without the set that is asked for says so") {
  const auto read = parse_shapes("matrices: []\nsets: []\n", "mine.yaml", "cpu", Level::quick);
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message.find("quick") != std::string::npos);
}
