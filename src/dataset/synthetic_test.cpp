#include "dataset/synthetic.hpp"

#include <doctest/doctest.h>

#include <set>

#include "dataset/fake_tokenizer.hpp"
#include "dataset/vocabulary.hpp"

namespace scoville::dataset {
namespace {

LengthModel model_of(TokenCounter& tokenizer) {
  auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  return *std::move(model);
}

SyntheticPrompts prompts_of(TokenCounter& tokenizer, const SyntheticOptions& options) {
  auto prompts = SyntheticPrompts::create(model_of(tokenizer), options);
  REQUIRE(prompts.ok());
  return *std::move(prompts);
}

/// The words behind "The " and the salt.
std::string body_of(const std::string& text) {
  std::size_t at = 0;
  for (int word = 0; word < 9; ++word) at = text.find(' ', at) + 1;
  return text.substr(at);
}

}  // namespace

TEST_CASE("every prompt has the tokens it was asked for, whatever the length, although some words are split") {
  FakeTokenizer tokenizer(24, [](std::string_view word) { return word == "perfect" || word == "back" ? 2 : 1; });
  SyntheticOptions options;
  options.input = *parse_lengths("uniform:33:1500");
  const auto prompts = prompts_of(tokenizer, options);
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Prompt prompt = prompts.make(i);
    CHECK(*tokenizer.count(prompt.text) == prompt.asked_prompt_tokens);
  }
}

TEST_CASE("characters as tokens: the mean length is met within 1 %") {
  FakeTokenizer tokenizer(3, [](std::string_view word) { return static_cast<std::int64_t>(word.size()) + 1; });
  SyntheticOptions options;
  options.input = LengthDistribution::constant(2000);
  const auto prompts = prompts_of(tokenizer, options);
  double sum = 0;
  for (std::uint64_t i = 0; i < 200; ++i) sum += static_cast<double>(*tokenizer.count(prompts.make(i).text));
  CHECK(sum / 200 == doctest::Approx(2000).epsilon(0.01));
}

TEST_CASE("the same seed gives the same words, and another salt changes only the salt") {
  FakeTokenizer tokenizer(24);
  SyntheticOptions options;
  options.salt = 1;
  const auto first = prompts_of(tokenizer, options), again = prompts_of(tokenizer, options);
  options.salt = 2;
  const auto salted = prompts_of(tokenizer, options);
  options.seed = 9;
  const auto reseeded = prompts_of(tokenizer, options);
  CHECK(first.make(7).text == again.make(7).text);
  CHECK(first.make(7).text != salted.make(7).text);
  CHECK(body_of(first.make(7).text) == body_of(salted.make(7).text));
  CHECK(body_of(first.make(7).text) != body_of(reseeded.make(7).text));
}

TEST_CASE("no two prompts of two runs begin alike, so that a prefix cache finds nothing") {
  FakeTokenizer tokenizer(24);
  std::set<std::string> beginnings;
  for (const std::uint64_t salt : {1, 2}) {
    SyntheticOptions options;
    options.salt = salt;
    const auto prompts = prompts_of(tokenizer, options);
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const std::string text = prompts.make(i).text;
      beginnings.insert(text.substr(0, text.size() - body_of(text).size()));
    }
  }
  CHECK(beginnings.size() == 4000);
}

TEST_CASE("the dataset hash holds seed and lengths, not the salt and not the template") {
  FakeTokenizer tokenizer(24), other_template(3);
  SyntheticOptions options;
  const auto hash = prompts_of(tokenizer, options).dataset_hash();
  options.salt = 5;
  CHECK(prompts_of(tokenizer, options).dataset_hash() == hash);
  CHECK(prompts_of(other_template, options).dataset_hash() == hash);
  options.seed = 1;
  CHECK(prompts_of(tokenizer, options).dataset_hash() != hash);
  options.seed = 0;
  options.input = LengthDistribution::constant(513);
  CHECK(prompts_of(tokenizer, options).dataset_hash() != hash);
  options.input = LengthDistribution::constant(512);
  options.output = LengthDistribution::constant(128);
  CHECK(prompts_of(tokenizer, options).dataset_hash() != hash);
}

TEST_CASE("a length below template and salt is refused and the smallest one named") {
  FakeTokenizer tokenizer(24);
  SyntheticOptions options;
  options.input = LengthDistribution::constant(32);
  const auto refused = SyntheticPrompts::create(model_of(tokenizer), options);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::invalid_argument);
  CHECK(refused.error().message ==
        "prompts of 32 tokens are too short: the smallest has 33 (template, BOS and first word 25, salt 8 words)");
  options.input = LengthDistribution::uniform(32, 100);
  CHECK_FALSE(SyntheticPrompts::create(model_of(tokenizer), options).ok());
  options.input = LengthDistribution::constant(33);
  CHECK(SyntheticPrompts::create(model_of(tokenizer), options).ok());
}

TEST_CASE("a normal draw below the smallest prompt becomes the smallest prompt, and is counted as such") {
  FakeTokenizer tokenizer(24);
  SyntheticOptions options;
  options.input = LengthDistribution::normal(40, 30);
  const auto prompts = prompts_of(tokenizer, options);
  std::uint32_t least = UINT32_MAX;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Prompt prompt = prompts.make(i);
    CHECK(*tokenizer.count(prompt.text) == prompt.asked_prompt_tokens);
    least = std::min(least, prompt.asked_prompt_tokens);
  }
  CHECK(least == 33);
}

TEST_CASE("output lengths are drawn apart from input lengths, and absent unless asked for") {
  FakeTokenizer tokenizer(24);
  SyntheticOptions options;
  CHECK(prompts_of(tokenizer, options).make(0).max_tokens == 0);
  options.output = LengthDistribution::uniform(10, 20);
  const auto prompts = prompts_of(tokenizer, options);
  std::set<std::uint32_t> seen;
  for (std::uint64_t i = 0; i < 500; ++i) seen.insert(prompts.make(i).max_tokens);
  CHECK(seen.size() == 11);
  CHECK(*seen.begin() == 10);
  CHECK(*seen.rbegin() == 20);
}

}  // namespace scoville::dataset
