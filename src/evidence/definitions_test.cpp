#include "evidence/definitions.hpp"

#include <doctest/doctest.h>

#include <set>

namespace scoville::evidence {

TEST_CASE("each definition has a code of its own that leads back to it, and two sentences") {
  std::set<std::string_view> codes;
  for (std::size_t i = 0; i < kDefinitionCount; ++i) {
    const DefinitionInfo& info = info_of(static_cast<Definition>(i));
    CHECK(codes.insert(info.code).second);
    CHECK(definition_from(info.code) == info.definition);
    CHECK(info.words != info.difference);
  }
  CHECK(info_of(Definition::other).code == "other");  // the last: the table is as long as the enumeration
  CHECK_FALSE(definition_from("speed"));
}

TEST_CASE("metrics have the names of docs/method.md") {
  for (std::size_t i = 0; i < kMetricCount; ++i) {
    const Metric metric = static_cast<Metric>(i);
    CHECK(metric_from(name_of(metric)) == metric);
  }
  CHECK(name_of(Metric::icl) == "icl");
  CHECK(name_of(Metric::mean_output_tokens) == "mean_output_tokens");
  CHECK(is_latency(Metric::e2e));
  CHECK_FALSE(is_latency(Metric::requests_per_s));
}

TEST_CASE("a quantity that is none of ours is not comparable") {
  for (const Definition each : {Definition::icl_zero_filled, Definition::icl_per_token_share, Definition::other,
                                Definition::attainment_successes, Definition::inverse_tpot})
    CHECK(info_of(each).comparable == Comparable::no);
}

}  // namespace scoville::evidence
