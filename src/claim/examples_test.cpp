#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "claim/check.hpp"

// The claims in examples/claims, as they were made in public; each row is what the method says of it.
//
// The five about the MI300X hold each in its own cell: what a party and its rival report differs in engine, precision,
// batch, or in latency against throughput, and says so.

namespace scoville::claim {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(SCOVILLE_CASES_DIR) / "../../../examples/claims";

struct Row {
  const char* file;
  Level level;
  Verdict verdict;
  std::vector<std::string> fields;   ///< what the verdict hangs on
  std::vector<std::string> missing;  ///< points that must be among the missing
  std::vector<std::string> there;    ///< points that must not
};

const std::vector<Row> kRows{
    {"jalapeno",
     Level::L1,
     Verdict::untestable,
     {"metric.boundary", "metric.unit", "comparator.device", "workload.model"},
     {"metric", "size", "devices", "model", "lengths", "load", "precision", "power", "kind", "repeats", "artefacts"},
     {"who"}},
    {"jalapeno_headline", Level::L0, Verdict::unsupported, {"who.party", "url"}, {"who", "metric", "model"}, {}},
    {"gb200_30x",
     Level::L2,
     Verdict::not_comparable,
     {"numerics.weights"},
     {"accuracy", "size", "best_config", "load", "repeats", "artefacts"},
     {"lengths", "slo", "generation", "kind"}},
    {"mi300x_1_6x",
     Level::L1,
     Verdict::supported_with_conditions,
     {},
     {"lengths", "load", "precision", "engine", "accuracy", "slo"},
     {"kind", "who"}},
    {"mi300x_nvidia_2x",
     Level::L1,
     Verdict::supported_with_conditions,
     {},
     {"precision", "lengths", "accuracy"},
     {"load"}},
    {"mi300x_nvidia_14x", Level::L1, Verdict::supported_with_conditions, {}, {"precision", "load", "lengths"}, {"slo"}},
    {"mi300x_amd_2_1x", Level::L1, Verdict::supported_with_conditions, {}, {"lengths", "load", "best_config"}, {}},
    {"mi300x_amd_1_3x", Level::L1, Verdict::supported_with_conditions, {}, {"lengths", "load"}, {}},
    {"ironwood", Level::L2, Verdict::refuted_as_stated, {"metric.kind", "numerics.weights"}, {"model", "accuracy"}, {}},
    {"cerebras_speed",
     Level::L4,
     Verdict::supported_with_conditions,
     {},
     {"load", "price", "power", "engine"},
     {"metric", "size", "generation"}},
    {"cerebras_20x",
     Level::L1,
     Verdict::not_comparable,
     {"workload.load"},
     {"devices", "best_config", "price", "precision"},
     {}},
    {"cerebras_power", Level::L1, Verdict::untestable, {"metric.boundary", "workload.model"}, {"power", "devices"}, {}},
    {"trn2",
     Level::L1,
     Verdict::untestable,
     {"price.basis", "workload.model"},
     {"model", "precision", "price", "lengths", "who"},
     {}},
    {"nvl72_roi", Level::L1, Verdict::untestable, {"price.basis", "workload.model"}, {"price", "load", "model"}, {}},
};

std::vector<std::string> missing_ids(const Check& check) {
  std::vector<std::string> out;
  for (const PointState* each : missing(check.checklist)) out.emplace_back(each->point->id);
  return out;
}

}  // namespace

TEST_CASE("each public claim has its evidence level, its verdict, and what it leaves open") {
  for (const Row& row : kRows) {
    CAPTURE(row.file);
    const Result<Claim> claim = read_claim_file((kFolder / row.file).string() + ".yaml");
    REQUIRE_MESSAGE(claim.ok(), (claim.ok() ? "" : claim.error().message));
    const Check seen = check(*claim);
    CHECK(name_of(seen.evidence.level) == name_of(row.level));
    CHECK(name_of(seen.ruling.verdict) == name_of(row.verdict));
    CHECK(seen.ruling.fields == row.fields);
    const std::vector<std::string> ids = missing_ids(seen);
    for (const std::string& each : row.missing) {
      CAPTURE(each);
      CHECK(std::find(ids.begin(), ids.end(), each) != ids.end());
    }
    for (const std::string& each : row.there) {
      CAPTURE(each);
      CHECK(std::find(ids.begin(), ids.end(), each) == ids.end());
    }
  }
}

TEST_CASE("no claim lies in the folder that the table does not know") {
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(kFolder)) files += each.path().extension() == ".yaml";
  CHECK(files == kRows.size());
}

TEST_CASE("at equal precision the other machine is 2.05 times the pod") {
  const Result<Claim> claim = read_claim_file((kFolder / "ironwood.yaml").string());
  REQUIRE(claim.ok());
  CHECK(1 / claim->results.front().ratio == doctest::Approx(2.05).epsilon(0.005));
  CHECK(claim->results.front().ratio == doctest::Approx(42.52 / 87.36).epsilon(1e-4));
}

}  // namespace scoville::claim
