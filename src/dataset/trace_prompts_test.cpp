#include "dataset/trace_prompts.hpp"

#include <doctest/doctest.h>

#include <set>

#include "base/json.hpp"
#include "base/rng.hpp"
#include "dataset/fake_tokenizer.hpp"
#include "dataset/generated.hpp"
#include "dataset/vocabulary.hpp"

namespace scoville::dataset {
namespace {

using namespace std::chrono_literals;

LengthModel model_of(TokenCounter& tokenizer) {
  auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  return *std::move(model);
}

WorkloadChain request(std::uint32_t input, std::vector<std::uint64_t> blocks = {}) {
  WorkloadChain chain;
  chain.blocks = std::move(blocks);
  chain.turns.push_back({Nanos::zero(), input, 10});
  return chain;
}

Workload workload_of(std::vector<WorkloadChain> chains, std::uint32_t block_tokens = 512) {
  Workload workload;
  workload.block_tokens = block_tokens;
  workload.chains = std::move(chains);
  return workload;
}

TracePrompts prompts_of(Workload workload, TraceOptions options = {}, std::int64_t fixed = 24) {
  FakeTokenizer tokenizer(fixed);
  return TracePrompts(model_of(tokenizer), std::move(workload), std::move(options));
}

/// Words that two texts have in common at their fronts.
std::size_t shared_words(const std::string& a, const std::string& b) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) words += a[i + 1] == ' ';
  return words;
}

/// The words from number `from` on; "The" is number 0.
std::string words_from(const std::string& text, std::size_t from) {
  std::size_t at = 0;
  for (; from > 0; --from) at = text.find(' ', at) + 1;
  return text.substr(at);
}

}  // namespace

TEST_CASE(
    "every prompt of a workload has exactly its tokens, whatever blocks it begins with and however they are cut") {
  FakeTokenizer tokenizer(24, [](std::string_view word) { return word == "perfect" || word == "back" ? 2 : 1; });
  Rng rng(7);
  for (const std::uint32_t block_tokens : {16U, 64U, 512U}) {
    std::vector<WorkloadChain> chains;
    for (int i = 0; i < 200; ++i) {
      WorkloadChain chain = request(33 + static_cast<std::uint32_t>(rng.below(3000)));
      for (std::uint64_t n = rng.below(8); n > 0; --n) chain.blocks.push_back(rng.below(20));
      if (i % 2 && !chain.blocks.empty()) {  // blocks that end one word before, at, or behind the prompt's end
        const auto end = static_cast<std::uint32_t>(chain.blocks.size()) * block_tokens;
        chain.turns[0].input_tokens = std::max(end + static_cast<std::uint32_t>(rng.below(3)), 34U) - 1;
      }
      chains.push_back(std::move(chain));
    }
    const TracePrompts prompts(model_of(tokenizer), workload_of(chains, block_tokens), {});
    for (std::uint64_t i = 0; i < 2 * chains.size(); ++i) {
      const Prompt prompt = prompts.make(i);
      CHECK(prompt.asked_prompt_tokens == chains[i % chains.size()].turns[0].input_tokens);
      CHECK(*tokenizer.count(prompt.text) == prompt.asked_prompt_tokens);
    }
  }
}

TEST_CASE(
    "equal blocks are equal text up to the end of the last common one, other blocks differ from their first words") {
  const auto prompts = prompts_of(
      workload_of({request(1400, {1, 2}), request(2000, {1, 2, 3}), request(2000, {1, 4, 3}), request(1400, {9, 2})}));
  const std::string a = prompts.make(0).text, b = prompts.make(1).text, c = prompts.make(2).text,
                    d = prompts.make(3).text;
  // 24 fixed tokens and "The" are in the first block: 1024 tokens are "The" and 999 words, 512 tokens "The" and 487.
  const auto close_to = [](std::size_t words, std::size_t expected) {
    return words >= expected && words < expected + 3;
  };
  CHECK(close_to(shared_words(a, b), 1000));
  CHECK(close_to(shared_words(a, c), 488));
  CHECK(close_to(shared_words(a, d), 1));
  CHECK(words_from(b, 1000).substr(0, 500) == words_from(c, 1000).substr(0, 500));  // block 3 in both
}

TEST_CASE("what the blocks leave is each request's own, and so is a prompt without blocks") {
  const auto prompts = prompts_of(workload_of({request(1024, {1}), request(1024, {1}), request(300), request(300)}));
  CHECK(shared_words(prompts.make(0).text, prompts.make(1).text) < 488 + 3);
  CHECK(shared_words(prompts.make(2).text, prompts.make(3).text) < 4);
  std::set<std::uint64_t> hashes;
  for (std::uint64_t i = 0; i < 40; ++i) hashes.insert(prompts.make(i).hash);
  CHECK(hashes.size() == 40);  // ten passes
}

TEST_CASE("equal blocks and lengths are one and the same prompt, and its hash says so") {
  const auto prompts = prompts_of(workload_of({request(512, {1}), request(512, {1}), request(511, {1})}));
  CHECK(prompts.make(0).text == prompts.make(1).text);
  CHECK(prompts.make(0).hash == prompts.make(1).hash);
  CHECK(prompts.make(0).hash != prompts.make(2).hash);
}

TEST_CASE("another salt changes the first eight words alone, so nothing is found from an earlier run") {
  const Workload workload = workload_of({request(2000, {1, 2, 3}), request(900), request(40, {5})});
  TraceOptions options;
  options.salt = 1;
  auto first = prompts_of(workload, options);
  auto other = prompts_of(workload, options);
  other.set_salt(2);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::string a = first.make(i).text, b = other.make(i).text;
    CHECK(shared_words(a, b) < 4);
    CHECK(words_from(a, 9) == words_from(b, 9));
  }
  CHECK(first.dataset_hash() == other.dataset_hash());
  first.set_salt(2);
  CHECK(first.make(0).text == other.make(0).text);
}

TEST_CASE("a second pass through a file shares nothing with the first, one of generated groups shares their prefixes") {
  const Workload workload = workload_of({request(1024, {1, 2})});
  const auto file = prompts_of(workload);
  CHECK(shared_words(file.make(0).text, file.make(1).text) < 4);
  CHECK(file.size() == 1);
  TraceOptions options;
  options.is_generated = true;
  const auto generated = prompts_of(workload, options);
  CHECK(generated.make(0).text == generated.make(1).text);
  CHECK_FALSE(generated.size().has_value());
}

TEST_CASE("blocks that lie wholly within the template still tell prompts apart") {
  const auto prompts = prompts_of(workload_of({request(200, {1, 3}), request(200, {2, 3}), request(200, {1, 3})}, 12));
  CHECK(shared_words(prompts.make(0).text, prompts.make(1).text) < 4);
}

TEST_CASE("prefixes are shared on purpose where there are blocks or turns") {
  CHECK_FALSE(prompts_of(workload_of({request(100), request(200)})).shares_prefixes());
  CHECK(prompts_of(workload_of({request(100), request(200, {1})})).shares_prefixes());
  Workload turns = workload_of({request(100)});
  turns.chains[0].turns.push_back({Nanos::zero(), 5, 5});
  CHECK(prompts_of(turns).shares_prefixes());
}

TEST_CASE("a row shorter than template and salt gets the shortest prompt, and that is said") {
  const auto prompts = prompts_of(workload_of({request(5), request(100)}));
  CHECK(prompts.smallest_prompt() == 33);
  CHECK(prompts.make(0).asked_prompt_tokens == 33);
  REQUIRE(prompts.warnings().size() == 1);
  CHECK(prompts.warnings()[0].code == "prompts_lengthened");
  CHECK(prompts_of(workload_of({request(100)})).warnings().empty());
}

TEST_CASE("requests of conversations are numbered chain after chain, and begin anew behind the last") {
  Workload workload = workload_of({request(100), request(200), request(300)});
  workload.chains[1].turns.push_back({1500ms, 40, 30});
  workload.chains[1].turns.push_back({500ms, 50, 0});
  workload.chains[0].at = 0ns;
  workload.chains[1].at = 5ms;
  workload.chains[2].at = 9ms;
  workload.chains[2].model = "adapter";
  const auto prompts = prompts_of(workload);
  CHECK(prompts.chain(0).first == 0);
  CHECK(prompts.chain(1).first == 1);
  CHECK(prompts.chain(1).turns == 3);
  CHECK(prompts.chain(2).first == 4);
  CHECK(prompts.chain(4).first == 6);
  CHECK(prompts.chain(4).turns == 3);
  CHECK(prompts.size() == 5);
  CHECK(prompts.think_time(1, 1) == 1500ms);
  CHECK(prompts.recorded_at(2) == Nanos(9ms));
  CHECK_FALSE(prompts.recorded_at(3).has_value());
  CHECK(prompts.make(4).asked_prompt_tokens == 300);
  CHECK(prompts.make(4).model == "adapter");
  CHECK(prompts.make(6).asked_prompt_tokens == 200);
}

TEST_CASE("a later turn is the history with the server's own answers and one more user message of so many tokens") {
  Workload workload = workload_of({request(100)});
  workload.chains[0].turns.push_back({0ns, 40, 30});
  workload.chains[0].turns.push_back({0ns, 50, 20});
  const auto prompts = prompts_of(workload);
  const std::string answers[] = {"first \"answer\"", "second"};
  const Prompt second = prompts.follow_up(0, std::span(answers, 1)), third = prompts.follow_up(0, answers);
  const json::array messages = json::parse(third.messages_json).as_array();
  REQUIRE(messages.size() == 5);
  CHECK(messages[0].at("content").as_string() == prompts.make(0).text);
  CHECK(messages[1] == json::value{{"role", "assistant"}, {"content", "first \"answer\""}});
  CHECK(messages[3].at("content").as_string() == "second");
  CHECK(messages[4].at("role").as_string() == "user");
  FakeTokenizer tokenizer(0);
  CHECK(*tokenizer.count(std::string(messages[2].at("content").as_string())) == 40);
  CHECK(*tokenizer.count(std::string(messages[4].at("content").as_string())) == 50);
  CHECK(second.max_tokens == 30);
  CHECK(third.max_tokens == 20);
  CHECK(third.asked_prompt_tokens == 0);
  CHECK(third.messages_json.starts_with(second.messages_json.substr(0, second.messages_json.size() - 1)));

  TraceOptions options;
  options.api = Api::completions;
  const auto plain = prompts_of(workload, options);
  const Prompt text = plain.follow_up(0, std::span(answers, 1));
  CHECK(text.messages_json.empty());
  CHECK(text.text.starts_with(plain.make(0).text + "\n\nfirst \"answer\"\n\nThe "));
}

TEST_CASE("the workload's hash holds lengths, times, blocks and seed") {
  const Workload workload = workload_of({request(100, {1}), request(200)});
  const auto hash = prompts_of(workload).dataset_hash();
  CHECK(prompts_of(workload, {}, 3).dataset_hash() == hash);  // another template
  TraceOptions reseeded;
  reseeded.seed = 1;
  CHECK(prompts_of(workload, reseeded).dataset_hash() != hash);
  for (const auto& change :
       {+[](Workload& w) { w.chains[0].turns[0].input_tokens = 101; },
        +[](Workload& w) { w.chains[0].turns[0].output_tokens = 11; }, +[](Workload& w) { w.chains[0].blocks[0] = 2; },
        +[](Workload& w) { w.block_tokens = 16; }, +[](Workload& w) { w.chains[1].at = 5ms; }}) {
    Workload other = workload;
    change(other);
    CHECK(prompts_of(other).dataset_hash() != hash);
  }
}

TEST_CASE("shared prefixes: every group in every round once, equal prefixes and suffixes of their own") {
  SharedPrefix shape;
  shape.prefixes = 5;
  shape.prefix_tokens = 200;
  shape.suffix_tokens = 50;
  const Workload workload = shared_prefix_workload(shape, 23, 1);
  CHECK(workload.chains.size() == 25);
  std::set<std::vector<std::uint64_t>> orders;
  for (std::size_t round = 0; round < 5; ++round) {
    std::vector<std::uint64_t> order;
    for (std::size_t i = 0; i < 5; ++i) order.push_back(workload.chains[round * 5 + i].blocks[0]);
    orders.insert(order);
    CHECK(std::set(order.begin(), order.end()).size() == 5);
  }
  CHECK(orders.size() > 1);
  const auto prompts = prompts_of(workload);
  std::set<std::string> prefixes, texts;
  for (std::uint64_t i = 0; i < 25; ++i) {
    const Prompt prompt = prompts.make(i);
    CHECK(prompt.asked_prompt_tokens == 250);
    texts.insert(prompt.text);
    prefixes.insert(prompt.text.substr(0, prompt.text.size() - words_from(prompt.text, 176).size()));
  }
  CHECK(prefixes.size() == 5);  // "The" and 175 words make 200 tokens with the template's 24
  CHECK(texts.size() == 25);
}

TEST_CASE("synthetic conversations: lengths drawn turn by turn, the same for the same seed") {
  SyntheticTurns shape;
  shape.turns = 3;
  shape.first_input = *parse_lengths("uniform:100:200");
  shape.later_input = LengthDistribution::constant(20);
  shape.think = 2s;
  const Workload workload = turns_workload(shape, 50, 4), again = turns_workload(shape, 50, 4);
  CHECK(workload.chains.size() == 50);
  CHECK(requests_of(workload) == 150);
  std::set<std::uint32_t> firsts;
  for (std::size_t i = 0; i < 50; ++i) {
    const auto& turns = workload.chains[i].turns;
    firsts.insert(turns[0].input_tokens);
    CHECK(turns[0].input_tokens == again.chains[i].turns[0].input_tokens);
    CHECK(turns[0].think == 0s);
    CHECK(turns[2].think == 2s);
    CHECK(turns[2].input_tokens == 20);
    CHECK(turns[2].output_tokens == 128);
  }
  CHECK(firsts.size() > 20);
}

}  // namespace scoville::dataset
