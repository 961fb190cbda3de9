#include "claim/sentence.hpp"

#include <doctest/doctest.h>

#include "claim/check.hpp"

namespace scoville::claim {
namespace {

Claim claim_of(double ratio) {
  Claim out;
  out.party = "X Inc";
  out.role = Role::vendor;
  out.date = "2026-06-24";
  out.url = "https://x.example";
  out.ratio = Ratio{ratio, ratio};
  for (const auto& [key, words] : {std::pair("subject.device", "X"),
                                   {"comparator.device", "Y"},
                                   {"metric.name", "throughput"},
                                   {"workload.model", "M"},
                                   {"workload.isl", "512"}})
    out.said[key] = {words, words};
  return out;
}

Measured measured(double ratio, double lo, double hi, std::string conditions = "") {
  Measured out;
  out.ratio = ratio;
  out.lo = lo;
  out.hi = hi;
  out.conditions = std::move(conditions);
  return out;
}

std::string english(const Claim& claim, const std::vector<Measured>& results) {
  return check(claim, results).narrow.english;
}

}  // namespace

TEST_CASE("the narrow sentence carries figure, interval, conditions and scope") {
  CHECK(english(claim_of(2), {measured(2.05, 2, 2.1)}) ==
        "X against Y, throughput: 2.05× [2, 2.1] at M, 512 → ? tokens. This speaks of the stacks as they were run, not "
        "of the chips.");
  CHECK(english(claim_of(2), {measured(1.5, 1.4, 1.6, "batch 8")}) ==
        "X against Y, throughput: better, 1.5× [1.4, 1.6] at batch 8, but not 2×.");
}

TEST_CASE("what holds in part names both regions") {
  const std::string said =
      english(claim_of(2), {measured(2.05, 2, 2.1, "batch 1"), measured(0.9, 0.88, 0.92, "batch 64")});
  CHECK(said.find("2.05× [2, 2.1] at batch 1; but 0.9× [0.88, 0.92] at batch 64") != std::string::npos);
}

TEST_CASE("nothing measured, nothing said of the pair but who says it") {
  CHECK(english(claim_of(2), {}) ==
        "X Inc (2026-06-24) states 2× for X against Y (M, 512 → ? tokens); nobody else has measured it yet.");
}

TEST_CASE("unlike sides are named with what they are") {
  Claim claim = claim_of(30);
  claim.said["numerics.weights"] = {"fp4", "fp8"};
  CHECK(english(claim, {}) ==
        "X Inc (2026-06-24) states 30× for X against Y with different numerics.weights (fp4 / fp8): of the two under "
        "like "
        "conditions it says nothing.");
}

TEST_CASE("every verdict has a sentence in both languages, and none speaks the other") {
  const Claim claim = claim_of(2);
  for (const auto& [lo, hi] : {std::pair(2.0, 2.1), {1.2, 1.3}, {1.2, 2.1}, {0.9, 1.5}, {0.8, 0.9}, {0.9, 2.1}}) {
    const text::Phrase said = check(claim, {measured((lo + hi) / 2, lo, hi)}).narrow;
    CHECK(said.english.find("X against Y") != std::string::npos);
    CHECK(said.chinese.find("X 对比 Y") != std::string::npos);
  }
}

TEST_CASE("a bare value is answered with a value; of a latency the interval turns round") {
  Claim claim = claim_of(1);
  claim.ratio.reset();
  claim.value = 100;
  claim.said["metric.unit"] = {"tokens/s", "tokens/s"};
  CHECK(shown(claim, measured(1.1, 1, 1.2)) == "1.1×" + std::string(" [1, 1.2]"));  // it has a comparator
  claim.said.erase(claim.said.find("comparator.device"));
  CHECK(shown(claim, measured(1.1, 1, 1.2)) == "110 tokens/s [100, 120]");
  claim.is_lower_better = true;
  CHECK(shown(claim, measured(1.25, 1, 2)) == "80 tokens/s [50, 100]");
}

TEST_CASE("sizes as people write them") {
  Claim claim = claim_of(1.6);
  claim.is_up_to = true;
  CHECK(size_of(claim, text::Language::english) == "up to 1.6×");
  CHECK(size_of(claim, text::Language::chinese) == "最高 1.6×");
  claim.is_up_to = false;
  claim.ratio = Ratio{1.3, 1.4};
  CHECK(size_of(claim, text::Language::english) == "1.3×–1.4×");
  claim.ratio.reset();
  claim.value = 1800;
  claim.said["metric.unit"] = {"tokens/s", "tokens/s"};
  CHECK(size_of(claim, text::Language::english) == "1800 tokens/s");
}

}  // namespace scoville::claim
