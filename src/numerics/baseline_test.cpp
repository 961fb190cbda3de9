#include "numerics/baseline.hpp"

#include <doctest/doctest.h>

namespace scoville::numerics {
namespace {

Manifest made_manifest() {
  Manifest m;
  m.probe = "scoville-torch";
  m.stack = {{"torch", "1.13.0"}};
  m.device = "cuda:0";
  m.dtype = "bf16";
  m.model = "tiny";
  m.weights = "seeded";
  m.weights_sha256 = "ab";
  m.seed = 7;
  m.sequences = {{"seed1", 16, ""}, {"text1", 9, "Hello"}};
  m.parts = {{"embed", ""}, {"layer.0", "embed"}};
  m.tensors = {{"seed1/embed", "aa"}, {"seed1/layer.0", "bb"}, {"isolated/seed1/layer.0", "cc"}};
  m.again = {{"layer.0", false, 1e-9}, {"embed", true, std::nullopt}};
  m.host_runs = {{"layer.0", "aten::silu", 2}};
  m.watched_host_runs = true;
  m.variants = {{"int8", ""}, {"fp8", "this torch has no fp8"}};
  return m;
}

TEST_CASE("a manifest that was written reads the same") {
  const json::object written = to_json(made_manifest());
  const Result<Manifest> read = manifest_from(json::parse(compact(written)));
  REQUIRE(read);
  CHECK(compact(to_json(*read)) == compact(written));
  CHECK(read->again[0].rel_l2 == 1e-9);
  CHECK_FALSE(read->again[1].rel_l2);
  CHECK(read->variants[1].fault == "this torch has no fp8");
}

TEST_CASE("what is no manifest is refused by the member that says so") {
  CHECK(manifest_from(json::parse("[]")).error().message.find("scoville.baseline/1") != std::string::npos);
  CHECK(manifest_from(json::parse(R"({"schema": "scoville.baseline/2"})")).error().message.find("schema") !=
        std::string::npos);
  json::object bad = to_json(made_manifest());
  bad["seed"] = "seven";
  CHECK(manifest_from(bad).error().message == "seed: expected a number, or a list of them");
  bad = to_json(made_manifest());
  bad["parts"] = "all";
  CHECK(manifest_from(bad).error().message == "parts: expected a list");
}

TEST_CASE("a baseline is known by the tensors of its plain run, not by what was done beside it") {
  Manifest one = made_manifest(), other = made_manifest();
  other.tensors["isolated/seed1/layer.0"] = "dd";
  CHECK(one.identity() == other.identity());
  other.tensors["seed1/layer.0"] = "dd";
  CHECK(one.identity() != other.identity());
}

}  // namespace
}  // namespace scoville::numerics
