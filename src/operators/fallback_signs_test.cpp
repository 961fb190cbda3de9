#include "operators/fallback_signs.hpp"

#include <doctest/doctest.h>

using namespace scoville::operators;

TEST_CASE("every backend's switch says how it is made strict") {
  const FallbackSigns& signs = built_in_fallback_signs();
  bool has_mps = false;
  for (const FallbackSigns::Switch& each : signs.switches) {
    if (each.name == "PYTORCH_ENABLE_MPS_FALLBACK") has_mps = each.strict == "0" && each.lenient == "1";
  }
  CHECK(has_mps);
  CHECK_FALSE(signs.warnings.empty());
}

TEST_CASE("a key that is not known is a fault") {
  CHECK_FALSE(parse_fallback_signs("version: 1\nswitches: [{name: X, stict: 1}]\n", "x.yaml").ok());
}
