#include "dataset/length_solver.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "dataset/fake_tokenizer.hpp"
#include "dataset/probe_counter.hpp"
#include "dataset/vocabulary.hpp"

namespace scoville::dataset {
namespace {

/// Two tokens for the words at these places of the vocabulary, one for all others.
FakeTokenizer::Cost split_at(std::set<std::size_t> places) {
  std::set<std::string_view> split;
  for (const std::size_t place : places) split.insert(vocabulary()[place]);
  return [split](std::string_view word) { return split.contains(word) ? 2 : 1; };
}

}  // namespace

TEST_CASE("one token a word: three counts give the exact model, template and BOS in the offset") {
  FakeTokenizer tokenizer(24);
  const auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  CHECK(model->is_exact);
  CHECK(model->offset == 25);  // 24 and "The"
  CHECK(model->slope == 1);
  CHECK(model->words.size() == 512);
  CHECK(model->counts == 3);
  CHECK(model->words_for(512) == 487);
  CHECK(model->tokens_of(487) == 512);
  CHECK(model->method == "fake");
  CHECK(model->warnings().empty());
}

TEST_CASE("the first word may cost any number of tokens") {
  FakeTokenizer tokenizer(1, [](std::string_view word) { return word == "The" ? 3 : 1; });
  const auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  CHECK(model->is_exact);
  CHECK(model->offset == 4);
}

TEST_CASE("a few words of two tokens are found by halving and left out, no other is") {
  FakeTokenizer tokenizer(5, split_at({17, 300, 511}));
  const auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  CHECK(model->is_exact);
  CHECK(model->words.size() == 509);
  CHECK(model->dropped == 3);
  for (const std::size_t place : {17, 300, 511}) {
    CHECK(std::count(model->words.begin(), model->words.end(), vocabulary()[place]) == 0);
  }
  CHECK(model->counts <= 40);  // about 9 for each of the three
  CHECK(tokenizer.calls == model->counts);
}

TEST_CASE("with the few counts of real requests, what is not known to be clean is left out") {
  std::set<std::size_t> places;
  for (std::size_t place = 400; place < 512; place += 7) places.insert(place);
  FakeTokenizer tokenizer(5, split_at(places));
  tokenizer.probes = 12;
  const auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  CHECK(model->is_exact);
  CHECK(model->counts == 12);
  CHECK(model->words.size() >= 384);
  FakeTokenizer truth(0, split_at(places));
  for (const std::string_view word : model->words) CHECK(*truth.count(std::string(word)) == 1);
}

TEST_CASE("a tokenizer of characters has no exact lengths: the model says so and gives the mean") {
  FakeTokenizer tokenizer(0, [](std::string_view word) { return static_cast<std::int64_t>(word.size()) + 1; });
  const auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  CHECK_FALSE(model->is_exact);
  CHECK(model->words.size() == 512);
  CHECK(model->slope == doctest::Approx(4.654296875 + 1));  // mean length of a word, and its blank
  CHECK(model->counts == 3);                                // none is spent on halving
  REQUIRE(model->warnings().size() == 1);
  CHECK(model->warnings()[0].code == "prompt_length_inexact");
}

TEST_CASE("a server that always counts the same number does not count: prompts of endless words are not made for it") {
  FakeTokenizer tokenizer(7, [](std::string_view) { return std::int64_t{0}; });
  const auto model = solve(tokenizer, vocabulary());
  REQUIRE(!model.ok());
  CHECK(model.error().code == ErrorCode::unsupported);
}

TEST_CASE("errors that cancel out over the whole list are caught by the mixture") {
  // "in" costs 100 too many and 100 other words none at all: right for the whole list, wrong for any mixture.
  int words = 0;
  FakeTokenizer tokenizer(0, [&](std::string_view word) -> std::int64_t {
    if (word == "The") words = 0;
    if (word == "in") return 101;
    return ++words % 5 == 0 && words <= 501 ? 0 : 1;
  });
  const auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  CHECK_FALSE(model->is_exact);
}

TEST_CASE("a context shorter than the word list is no obstacle") {
  FakeTokenizer tokenizer(30);
  tokenizer.context = 200;
  const auto model = solve(tokenizer, vocabulary());
  REQUIRE(model.ok());
  CHECK(model->is_exact);
  CHECK(model->words.size() == 128);
}

TEST_CASE("a tokenizer endpoint that disagrees with usage by a constant moves the offset and is reported") {
  FakeTokenizer endpoint(10), truth(11);  // the server adds a second BOS
  auto model = solve(endpoint, vocabulary());
  REQUIRE(model.ok());
  model->confirm(*truth.count(model->check_prompt));
  CHECK(model->is_confirmed);
  CHECK(model->shift == 1);
  CHECK(model->tokens_of(0) == 12);
  REQUIRE(model->warnings().size() == 1);
  CHECK(model->warnings()[0].code == "tokenize_differs_from_usage");
  model->confirm(*truth.count(model->check_prompt));
  CHECK(model->shift == 0);
}

TEST_CASE("where the endpoint cannot see the template, a real request supplies it without a complaint") {
  FakeTokenizer endpoint(1), truth(25);
  endpoint.sees_template = false;
  auto model = solve(endpoint, vocabulary());
  REQUIRE(model.ok());
  REQUIRE(model->warnings().size() == 1);
  CHECK(model->warnings()[0].code == "prompt_length_unconfirmed");
  model->confirm(*truth.count(model->check_prompt));
  CHECK(model->offset == 26);
  CHECK(model->warnings().empty());
}

TEST_CASE("without a tokenizer endpoint real requests are counted, and their failure is handed on") {
  FakeTokenizer server(7);
  ProbeCounter probe([&](const std::string& prompt) { return server.count(prompt); });
  const auto model = solve(probe, vocabulary());
  REQUIRE(model.ok());
  CHECK(model->offset == 8);
  CHECK(model->method == "usage.prompt_tokens");
  ProbeCounter broken([](const std::string&) -> Result<std::int64_t> {
    return Error{ErrorCode::refused, "no server"};
  });
  const auto failed = solve(broken, vocabulary());
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().message == "no server");
}

}  // namespace scoville::dataset
