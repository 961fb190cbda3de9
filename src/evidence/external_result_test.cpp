#include "evidence/external_result.hpp"

#include <doctest/doctest.h>

#include "evidence/made_results.hpp"

namespace scoville::evidence {

TEST_CASE("a result reads back from its JSON as it was, whatever tool it is of") {
  for (const std::string_view text : {kVllm, kSglang, kAiperf, kGuidellm, kInferencePerf, kEvalscope, kAisbenchCsv,
                                      kInferencex, kLoadgen, kGenaiBench, kEndpoints}) {
    for (const ExternalResult& each : read_all(text)) {
      const json::object body = to_json(each);
      const auto back = external_from(body);
      REQUIRE(back);
      CHECK(to_json(*back) == body);
      CHECK(back->figures.size() == each.figures.size());
    }
  }
}

TEST_CASE("a figure names their key, the definition, and whether it can be compared") {
  const json::object body = to_json(read_all(kAiperf).front());
  CHECK(body.at("schema") == "scoville.external/1");
  for (const json::value& each : body.at("figures").as_array()) {
    if (each.at("as") != "inter_token_latency.avg") continue;
    CHECK(each.at("metric") == "tpot");
    CHECK(each.at("unit") == "s");
    CHECK(each.at("comparable") == "roughly");
    CHECK(each.at("conversion") == "/ 1000000");
    CHECK(body.at("definitions")
              .at(std::string_view(each.at("definition").as_string()))
              .as_object()
              .contains("against_ours"));
    return;
  }
  FAIL("no such figure");
}

TEST_CASE("a body that is none is refused") {
  json::object body = to_json(read_all(kVllm).front());
  body["schema"] = "scoville.external/2";
  CHECK_FALSE(external_from(body));
  body = to_json(read_all(kVllm).front());
  body["figures"].as_array()[0].as_object()["definition"] = "speed";
  CHECK_FALSE(external_from(body));
  body["figures"] = 3;
  CHECK_FALSE(external_from(body));
  CHECK_FALSE(external_from(nullptr));
}

}  // namespace scoville::evidence
