#include "correctness/prompt_set.hpp"

#include <doctest/doctest.h>

#include <set>

namespace scoville::correctness {

TEST_CASE("the built-in prompts are forty different ones, whole, with a fixed hash") {
  const auto set = read_prompts("", 1000, false);
  REQUIRE(set.ok());
  CHECK(set->name == "built-in 1");
  CHECK(set->prompts.size() == 40);
  CHECK(set->warnings.empty());
  std::set<std::string> texts;
  for (const dataset::Prompt& each : set->prompts) texts.insert(each.text);
  CHECK(texts.size() == 40);
  // Another hash is another set: raise the number in its name with it.
  CHECK(set->hash == "606301486cffd08a");
}

TEST_CASE("fewer prompts are the first ones; the hash is that of the whole file") {
  const auto all = read_prompts("", 1000, true), few = read_prompts("", 3, true);
  REQUIRE(few.ok());
  CHECK(few->prompts.size() == 3);
  CHECK(few->prompts[2].text == all->prompts[2].text);
  CHECK(few->hash == all->hash);
}

TEST_CASE("a file that is not there is the flag's fault") {
  const auto set = read_prompts("/nonexistent", 3, true);
  REQUIRE_FALSE(set.ok());
  CHECK(set.error().code == ErrorCode::invalid_argument);
}

}  // namespace scoville::correctness
