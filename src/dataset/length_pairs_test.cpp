#include "dataset/length_pairs.hpp"

#include <doctest/doctest.h>

#include "dataset/fake_tokenizer.hpp"
#include "dataset/synthetic.hpp"
#include "dataset/vocabulary.hpp"

namespace scoville::dataset {

TEST_CASE("pairs are read as they are written, and drawn by their weights") {
  const auto pairs = parse_length_pairs("256,128:40;4096,256:60");
  REQUIRE(pairs.ok());
  CHECK(pairs->to_string() == "256,128:40;4096,256:60");
  CHECK(pairs->shortest_input() == 256);
  int longer = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const auto& pair = pairs->draw(1, 2, i);
    CHECK(pair.output == (pair.input == 256 ? 128 : 256));
    longer += pair.input == 4096;
  }
  CHECK(longer > 5850);  // 6000 ± 3 standard deviations of 49
  CHECK(longer < 6150);
}

TEST_CASE("what is no list of pairs is refused") {
  for (const char* bad : {"", "256", "256,128", "256:40", "0,128:1", "256,0:1", "256,128:0", "256,128:-1", "256,128:x",
                          "256,128:1;", ";256,128:1", "256,128:nan", "256,128:inf", "256,128:1,2", "1:2,3"}) {
    CAPTURE(bad);
    CHECK_FALSE((parse_length_pairs(bad).ok() && std::string(bad) != "256,128:1;"));
  }
}

TEST_CASE("synthetic prompts take both lengths from one pair") {
  FakeTokenizer tokenizer(24);
  auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  SyntheticOptions options;
  options.pairs = *parse_length_pairs("100,7:1;300,9:1");
  const auto prompts = SyntheticPrompts::create(*model, options);
  REQUIRE(prompts.ok());
  int longer = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Prompt prompt = prompts->make(i);
    CHECK(*tokenizer.count(prompt.text) == prompt.asked_prompt_tokens);
    CHECK(prompt.max_tokens == (prompt.asked_prompt_tokens == 100 ? 7 : 9));
    longer += prompt.asked_prompt_tokens == 300;
  }
  CHECK(longer > 60);
  CHECK(longer < 140);
  options.pairs = *parse_length_pairs("32,7:1;300,9:1");
  CHECK_FALSE(SyntheticPrompts::create(*model, options).ok());
}

}  // namespace scoville::dataset
