#include "fit/parameters.hpp"

#include <doctest/doctest.h>

#include "fit/made_shape.hpp"

using namespace scoville::fit;

TEST_CASE("Llama-3.1-8B has 8 030 261 248 weights, as its index says") {
  const auto counted = parameters_of(llama_8b());
  REQUIRE(counted);
  CHECK(counted->embedding == 525336576);  // 128256·4096
  CHECK(counted->head == 525336576);
  CHECK(counted->total() == 8030261248);
  CHECK(counted->active() == 8030261248.0 - 525336576);
}

TEST_CASE("a tied table counts once, and is multiplied with once") {
  ModelShape shape = llama_8b();
  shape.ties_embeddings = true;
  CHECK(parameters_of(shape)->total() == 8030261248.0 - 525336576);
  CHECK(parameters_of(shape)->active() == 8030261248.0 - 525336576);
}

TEST_CASE("Mixtral-8x7B: 46.7 B weights, 12.9 B for a token less the table") {
  ModelShape shape = llama_8b();
  shape.architecture = "MixtralForCausalLM";
  shape.vocabulary = 32000;
  shape.experts = Experts{8, 2, 14336, 0, 0};
  CHECK(parameters_of(shape)->total() == 46702792704);
  CHECK(parameters_of(shape)->active() == 12879925248.0 - 32000.0 * 4096);
}

TEST_CASE("DeepSeek-V3: 671 B weights, 37 B for a token") {
  const auto counted = parameters_of(deepseek_v3());
  REQUIRE(counted);
  CHECK(counted->total() == doctest::Approx(671.03e9).epsilon(0.0005));
  CHECK(counted->active() == doctest::Approx(36.6e9).epsilon(0.01));
  CHECK(counted->expert == 3.0 * 7168 * 2048);
  CHECK(counted->expert_layers == 58);
}

TEST_CASE("another architecture, or a size that is missing: no count") {
  ModelShape shape = llama_8b();
  shape.architecture = "FalconForCausalLM";
  CHECK_FALSE(parameters_of(shape));
  shape = llama_8b();
  shape.inner_size.reset();
  CHECK_FALSE(parameters_of(shape));
  shape = llama_8b();
  shape.vocabulary.reset();
  CHECK_FALSE(parameters_of(shape));
}
