#include <doctest/doctest.h>

#include <map>
#include <set>

#include "dataset/grouped_prompts.hpp"
#include "dataset/lora_spread.hpp"

namespace scoville::dataset {
namespace {

/// Prompt i is "p<i>" of 10 + i tokens. With `turns` > 1, chains of so many requests.
class Numbered final : public PromptSource {
 public:
  explicit Numbered(std::uint32_t turns = 1) : turns_(turns) {}
  Prompt make(std::uint64_t index) const override {
    Prompt prompt;
    prompt.text = "p" + std::to_string(index);
    prompt.asked_prompt_tokens = static_cast<std::uint32_t>(10 + index);
    prompt.hash = index + 1;
    return prompt;
  }
  Chain chain(std::uint64_t number) const override { return {number * turns_, turns_}; }
  Prompt follow_up(std::uint64_t number, std::span<const std::string> answers) const override {
    return make(number * turns_ + answers.size());
  }
  Nanos think_time(std::uint64_t, std::uint32_t turn) const override { return std::chrono::seconds(turn); }
  std::optional<Nanos> recorded_at(std::uint64_t number) const override { return Nanos(number); }
  bool shares_prefixes() const override { return true; }
  std::optional<std::uint64_t> size() const override { return 42; }
  text::Phrase describe() const override { return {"prompts", "提示词"}; }
  std::uint64_t dataset_hash() const override { return 7; }
  void set_salt(std::uint64_t salt) override { salt_seen = salt; }
  std::uint64_t salt_seen = 0;

 private:
  std::uint32_t turns_;
};

LoraSpread spread(std::vector<std::string> names, bool is_random, std::uint64_t seed = 1, std::uint32_t turns = 1) {
  return {std::make_unique<Numbered>(turns), {std::move(names), is_random}, seed};
}

}  // namespace

TEST_CASE("adapters in turn: each request the next one; the prompt itself stays as it is") {
  const LoraSpread prompts = spread({"a", "b", "c"}, /*is_random=*/false);
  std::string order;
  for (std::uint64_t i = 0; i < 7; ++i) order += prompts.make(i).model;
  CHECK(order == "abcabca");
  CHECK(prompts.make(4).text == "p4");
  CHECK(prompts.make(4).asked_prompt_tokens == 14);
}

TEST_CASE("adapters at random: the same with the same seed, another order with another, all of them used alike") {
  const LoraSpread one = spread({"a", "b", "c"}, true, 1), again = spread({"a", "b", "c"}, true, 1);
  const LoraSpread other = spread({"a", "b", "c"}, true, 2);
  std::map<std::string, int> uses;
  std::string order, same, different;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    ++uses[one.make(i).model];
    order += one.make(i).model;
    same += again.make(i).model;
    different += other.make(i).model;
  }
  CHECK(order == same);
  CHECK(order != different);
  for (const char* name : {"a", "b", "c"}) {  // 1,000 each; 6 standard deviations of 26
    CHECK(uses[name] > 845);
    CHECK(uses[name] < 1155);
  }
}

TEST_CASE("a conversation keeps its adapter, and the next one has the next") {
  for (const bool is_random : {false, true}) {
    const LoraSpread prompts = spread({"a", "b"}, is_random, 3, /*turns=*/2);
    std::string firsts;
    for (std::uint64_t number = 0; number < 64; ++number) {
      const std::string first = prompts.make(prompts.chain(number).first).model;
      const std::vector<std::string> answers{"x"};
      CHECK(prompts.follow_up(number, answers).model == first);
      firsts += first;
    }
    CHECK(firsts.find("ab") != std::string::npos);
    if (!is_random) CHECK(firsts.substr(0, 6) == "ababab");
  }
}

TEST_CASE("adapters: all else is the source's own, and the hash tells names and how they are given out") {
  auto source = std::make_unique<Numbered>(2);
  Numbered& below = *source;
  LoraSpread prompts(std::move(source), {{"a", "b"}, true}, 1);
  prompts.set_salt(99);
  CHECK(below.salt_seen == 99);
  CHECK(prompts.think_time(0, 3) == std::chrono::seconds(3));
  CHECK(prompts.recorded_at(5) == Nanos(5));
  CHECK(prompts.shares_prefixes());
  CHECK(prompts.size() == 42);
  CHECK(prompts.chain(3).first == 6);
  CHECK(prompts.chain(3).turns == 2);
  CHECK(prompts.describe().english == "prompts, spread over 2 adapters at random");
  std::set<std::uint64_t> hashes{7};
  for (const auto& names : {std::vector<std::string>{"a", "b"}, {"b", "a"}, {"ab"}, {"a", "b", "c"}}) {
    hashes.insert(spread(names, true, 1).dataset_hash());
    hashes.insert(spread(names, false, 1).dataset_hash());
  }
  hashes.insert(spread({"a", "b"}, true, 2).dataset_hash());  // the seed decides
  CHECK(hashes.size() == 10);
  CHECK(spread({"a"}, false, 1).dataset_hash() == spread({"a"}, false, 2).dataset_hash());
  CHECK(prompts.make(0).hash != Numbered().make(0).hash);
}

TEST_CASE("several prompts in a request: their lengths add up, none comes twice") {
  const GroupedPrompts prompts(std::make_unique<Numbered>(), 3);
  const Prompt second = prompts.make(1);  // prompts 3, 4, 5
  CHECK(second.text == "p3");
  CHECK(second.more_texts == std::vector<std::string>{"p4", "p5"});
  CHECK(second.asked_prompt_tokens == 13 + 14 + 15);
  CHECK(second.hash != prompts.make(0).hash);
  CHECK(prompts.make(0).more_texts.back() == "p2");
  CHECK(prompts.describe().english == "prompts, 3 in a request");
  CHECK(prompts.dataset_hash() != 7);
  CHECK_FALSE(prompts.size().has_value());
}

}  // namespace scoville::dataset
