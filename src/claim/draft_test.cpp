#include "claim/draft.hpp"

#include <doctest/doctest.h>

#include "text/catalogue.hpp"

namespace scoville::claim {
namespace {

Claim read(const std::string& yaml) {
  const Result<config::Node> root = config::Node::parse(yaml, "draft");
  REQUIRE(root.ok());
  Claim out = read_claim(root->map("claim"));
  const Status sound = root->finish();
  CHECK_MESSAGE(sound.ok(), (sound.ok() ? "" : sound.error().message));
  return out;
}

}  // namespace

TEST_CASE("a draft is a claim that says what the sentence says, and nothing else") {
  for (const text::Language language : {text::Language::english, text::Language::chinese}) {
    text::set_language(language);
    const std::string sentence = "X is up to 2.1x as \"fast\"\\ as Y: FP8, 30 # tokens\nper watt";
    const std::string yaml =
        draft_yaml({sentence, "https://x.example/#a", "X: Inc", "2026-06-24", Role::partner}, recognise(sentence));
    const Claim claim = read(yaml);
    CHECK(claim.text == "X is up to 2.1x as \"fast\"\\ as Y: FP8, 30 # tokens per watt");
    CHECK(claim.party == "X: Inc");
    CHECK(claim.role == Role::partner);
    CHECK(claim.url == "https://x.example/#a");
    CHECK(claim.ratio->low == 2.1);
    CHECK(claim.is_up_to);
    CHECK(claim.at("numerics.weights").shown() == "fp8");
    CHECK(claim.at("metric.name").shown() == "perf_per_watt");
    CHECK(claim.said.size() == 2);
    CHECK(claim.results.empty());
  }
  text::set_language(text::Language::english);
}

TEST_CASE("what came from the sentence is marked, what did not is null") {
  const std::string yaml = draft_yaml({"2x in FP8", "", "", "", std::nullopt}, recognise("2x in FP8"));
  CHECK(yaml.find("ratio: 2 ") != std::string::npos);
  CHECK(yaml.find("weights: \"fp8\"") != std::string::npos);
  CHECK(yaml.find("# from the sentence") != std::string::npos);
  CHECK(yaml.find("role: null") != std::string::npos);
  CHECK(yaml.find("model: null") != std::string::npos);
}

TEST_CASE("the questions are the missing points, numbered, and none that is answered") {
  const Claim claim = read(draft_yaml({"2x", "u", "p", "", std::nullopt}, recognise("2x")));
  const std::string mail = questions(claim);
  CHECK(mail.find(" 1. ") != std::string::npos);
  CHECK(mail.find("20. ") != std::string::npos);
  CHECK(mail.find("Which model, in which revision") != std::string::npos);
  CHECK(mail.find("\"2x\" (u)") != std::string::npos);
}

}  // namespace scoville::claim
