#include "claim/cell.hpp"

#include <doctest/doctest.h>

namespace scoville::claim {
namespace {

Claim claim_of() {
  Claim out;
  out.party = "X Inc";
  out.said["subject.device"] = {"MI300X", ""};
  out.said["comparator.device"] = {"H100", ""};
  return out;
}

Measured at(const char* conditions, const char* party = "Y Inc") {
  Measured out;
  out.by = Role::vendor;
  out.party = party;
  out.conditions = conditions;
  return out;
}

bool differ(const char* a, const char* b) { return are_different_cells(claim_of(), at(a), at(b)); }

}  // namespace

TEST_CASE("two cells differ where both say an engine, a precision or a batch, and not the same") {
  CHECK(differ("vLLM and FP16 on both", "TensorRT-LLM on the H100, batch 1"));
  CHECK(differ("FP8", "FP16"));
  CHECK(differ("batch 1", "batch size 64"));
  CHECK(differ("FP8 on the H100", "FP16 on the H100"));
}

TEST_CASE("what one of them does not say keeps nothing apart") {
  CHECK_FALSE(differ("vLLM on the MI300X, TensorRT-LLM on the H100, FP16 on both", "TRT-LLM on the H100, batch 1"));
  CHECK_FALSE(differ("", "batch 1"));
  CHECK_FALSE(differ("FP8 on the H100", "FP16 on the MI300X"));
  CHECK_FALSE(differ("a launch event", "another"));
}

TEST_CASE("the claim's own party speaks of the claim's conditions") {
  Claim claim = claim_of();
  claim.said["software.engine"] = {"vLLM", "vLLM"};
  claim.said["workload.load"] = {"batch:1", "batch:1"};
  CHECK(are_different_cells(claim, at("", "X Inc"), at("TensorRT-LLM on the H100")));
  CHECK(are_different_cells(claim, at("", "X Inc"), at("batch 64")));
  CHECK_FALSE(are_different_cells(claim, at("", "X Inc"), at("batch 1")));
  CHECK_FALSE(are_different_cells(claim, at("", "Z Inc"), at("batch 64")));
}

}  // namespace scoville::claim
