#include "numerics/judge.hpp"

#include <doctest/doctest.h>

#include "numerics/made_product.hpp"
#include "numerics/made_side.hpp"

namespace scoville::numerics {
namespace {

constexpr std::size_t kVocabulary = 24;

/// Four parts of a product's values each, one sequence; what `guilty` computes is rounded by `rounded`.
MadeSide made_run(const std::string& guilty = "", double (*rounded)(double) = exact) {
  MadeSide made;
  made.manifest.device = "privateuseone";
  made.manifest.dtype = "fp32";
  made.manifest.weights = "seeded";
  made.manifest.weights_sha256 = "same";
  made.manifest.watched_host_runs = true;
  made.manifest.sequences = {{"seed1", 24, ""}};
  made.manifest.parts = {{"embed", ""}, {"layer.0", "embed"}, {"layer.1", "layer.0"}, {"logits", "layer.1"}};
  bool is_after = false;
  for (const Part& part : made.manifest.parts) {
    is_after = is_after || part.name == guilty;
    std::vector<double> right = made_product(exact), off = made_product(rounded);
    for (std::vector<double>* const values : {&right, &off}) {  // of the size of logits; a power of two rounds nothing
      for (double& each : *values) each /= 16;
    }
    made.put("seed1/" + part.name, is_after ? off : right, {24, kVocabulary});
    made.put("isolated/seed1/" + part.name, part.name == guilty ? off : right, {24, kVocabulary});
  }
  made.put_ids("seed1/tokens", std::vector<std::int64_t>(24, 3));
  made.put_ids("seed1/greedy", {1, 2, 3});
  return made;
}

Judgement judged(const MadeSide& test, const Rules& rules = {}) { return judge(made_run().side(), test.side(), rules); }

TEST_CASE("the same against itself: nothing is found") {
  const Judgement found = judged(made_run());
  CHECK(found.verdict.outcome == Outcome::ok);
  CHECK(found.verdict.cause == Cause::nothing_found);
  CHECK(found.verdict.sentence.english == "nothing found: all 4 parts are bitwise equal");
  CHECK_FALSE(found.first_over);
  CHECK(found.doubts.empty());
  CHECK(found.greedy.front().matched == 3);
  CHECK(found.logits->top1 == 1);
}

TEST_CASE("a layer in bf16 is named, and what its error looks like, though all after it are off as well") {
  const Judgement found = judged(made_run("layer.0", as_bf16));
  CHECK(found.verdict.outcome == Outcome::differs);
  CHECK(found.verdict.part == "layer.0");
  CHECK(found.verdict.sentence.english.find("looks like: bf16") != std::string::npos);
  CHECK(found.parts[*found.first_over].look == Look::bf16);
  CHECK(found.parts[*found.first_over].rounded_to == Precision::bf16);
  CHECK(found.parts[2].isolated->is_bitwise());
  CHECK_FALSE(found.parts[2].cumulative->is_bitwise());
}

TEST_CASE("an error hidden in the residual stream is told by what the layer adds to it") {
  MadeSide reference = made_run(), test = made_run();
  std::vector<double> input = made_product(exact), right = input, off = input;
  const std::vector<double> added = made_product(exact, 24, 128, 24), added_off = made_product(as_bf16, 24, 128, 24);
  for (std::size_t i = 0; i < input.size(); ++i) {
    right[i] += added[i] / 64;  // a hundredth of the stream: 3e-3 of it is 4e-5 of the whole
    off[i] += added_off[i] / 64;
  }
  for (MadeSide* const each : {&reference, &test}) each->put("seed1/embed", input, {24, kVocabulary});
  reference.put("seed1/layer.0", right, {24, kVocabulary});
  test.put("isolated/seed1/layer.0", off, {24, kVocabulary});
  const PartJudgement part = judge(reference.side(), test.side(), {}).parts[1];
  CHECK(part.is_over);
  CHECK(look_of(*part.isolated) == Look::tf32_or_fp16);
  CHECK(part.look == Look::bf16);
}

TEST_CASE("the tolerance is that of the lower precision of the two, unless another is asked for") {
  MadeSide test = made_run("layer.0", as_bf16);
  test.manifest.dtype = "bf16";
  CHECK(judged(test).judged_by == Precision::bf16);
  CHECK(judged(test).verdict.outcome == Outcome::ok);
  CHECK(judged(test, {Precision::tf32, false}).verdict.outcome == Outcome::differs);
}

TEST_CASE("without an isolated pass the first part that shows an error is named, and that it may have begun before") {
  MadeSide test = made_run("layer.1", as_bf16);
  std::erase_if(*test.held, [](const auto& each) { return each.first.starts_with("isolated/"); });
  const Judgement found = judged(test);
  CHECK(found.verdict.part == "layer.1");
  CHECK(found.doubts.size() == 1);
}

TEST_CASE("operators that ran on the CPU are a difference, unless they are allowed") {
  MadeSide test = made_run();
  test.manifest.host_runs = {{"layer.1", "aten::silu", 2}};
  const Judgement found = judged(test);
  CHECK(found.verdict.cause == Cause::host_runs);
  CHECK(found.verdict.part == "layer.1");
  CHECK(found.verdict.sentence.english == "layer.1 was not computed by privateuseone alone: aten::silu ran on the CPU");
  CHECK(judged(test, {std::nullopt, true}).verdict.outcome == Outcome::ok);
  CHECK(found.parts[2].host_runs.size() == 1);
}

TEST_CASE("other weights, other inputs and nothing in common leave it open") {
  MadeSide test = made_run();
  test.manifest.weights_sha256 = "others";
  CHECK(judged(test).verdict.outcome == Outcome::cannot_tell);
  CHECK(judged(test).verdict.cause == Cause::other_weights);
  test = made_run();
  test.manifest.sequences[0].tokens = 25;
  CHECK(judged(test).verdict.cause == Cause::other_inputs);
  test = made_run();
  test.manifest.parts = {{"somewhere", ""}};
  CHECK(judged(test).verdict.cause == Cause::nothing_in_common);
}

TEST_CASE("another shape is a difference of that part") {
  MadeSide test = made_run();
  test.put("isolated/seed1/layer.0", {1, 2, 3});
  CHECK(judged(test).verdict.cause == Cause::shape);
  CHECK(judged(test).verdict.part == "layer.0");
}

TEST_CASE("a batch may change the last bits, and no more; nor may a second time") {
  MadeSide test = made_run();
  test.manifest.batched = {{"layer.0", false, 3e-7}};
  CHECK(judged(test).verdict.outcome == Outcome::ok);
  test.manifest.batched = {{"layer.0", false, 3e-3}};
  CHECK(judged(test).verdict.cause == Cause::batch);
  test.manifest.again = {{"layer.1", false, 3e-7}};
  CHECK(judged(test).doubts.size() == 1);
  test.manifest.again = {{"layer.1", false, std::nullopt}};
  CHECK(judged(test).verdict.cause == Cause::nondeterminism);
}

TEST_CASE("variants are held against the plain run of the same device, and a missing one says why") {
  MadeSide test = made_run();
  test.manifest.variants = {{"int8", ""}, {"fp8", "this torch has no fp8"}};
  test.put("int8/seed1/logits", made_product(as_e4m3), {24, kVocabulary});
  const Judgement found = judged(test);
  REQUIRE(found.variants.size() == 2);
  CHECK(found.variants[0].agreement->mean_kl > 0);
  CHECK_FALSE(found.variants[1].agreement);
  CHECK(found.verdict.outcome == Outcome::ok);
}

TEST_CASE("errors that grow from layer to layer are told as the last one's size by the first one's") {
  const Judgement found = judged(made_run("layer.0", as_bf16));
  CHECK(*found.growth == doctest::Approx(1));
}

}  // namespace
}  // namespace scoville::numerics
