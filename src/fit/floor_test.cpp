#include "fit/floor.hpp"

#include <doctest/doctest.h>

#include "fit/made_shape.hpp"

using namespace scoville::fit;

namespace {

constexpr double kWeights = 16060522496.0;  // of Llama-3.1-8B in bf16
constexpr double kRead = 15009849344.0;     // less the embedding table, 128256·4096·2

Device device(std::optional<double> bandwidth, std::optional<double> bf16) {
  Device out;
  if (bandwidth) out.bandwidth = Value{*bandwidth, "sheet", "", Confidence::high};
  if (bf16) out.peaks[static_cast<std::size_t>(Precision::bf16)].value = Value{*bf16, "sheet", "", Confidence::high};
  return out;
}

const Roof kH100{3.35e12, 989e12};

}  // namespace

TEST_CASE("one sequence of Llama-3.1-8B on an H100: 4.80 ms, bound by memory") {
  const auto work = decode_work(llama_8b(), kWeights, 1, 2, {1, 8192});
  REQUIRE(work);
  CHECK(work->weight_bytes == doctest::Approx(kRead).epsilon(1e-12));
  CHECK(work->cache_bytes == 1073741824);    // 131072·8192
  CHECK(work->operations == 19304816640.0);  // 2·7504924672 + 4·32·128·32·8192
  const Floor floor = floor_of(*work, kH100);
  CHECK(*floor.seconds == doctest::Approx(0.00480107).epsilon(1e-5));
  CHECK(floor.bound == Bound::memory);
}

TEST_CASE("weights once a step, the cache of each sequence, both spread over devices") {
  const auto one = decode_work(llama_8b(), kWeights, 1, 2, {1, 8192}),
             many = decode_work(llama_8b(), kWeights, 1, 2, {32, 8192});
  CHECK(many->weight_bytes == one->weight_bytes);
  CHECK(many->cache_bytes == 32 * one->cache_bytes);
  CHECK(many->operations == 32 * one->operations);
  const auto split = decode_work(llama_8b(), kWeights, 2, 2, {1, 8192});
  CHECK(split->weight_bytes == doctest::Approx(kRead / 2).epsilon(1e-12));
  CHECK(split->cache_bytes == one->cache_bytes / 2);
  CHECK(split->operations == one->operations / 2);
}

TEST_CASE("the larger side binds; without a peak moving is a floor; without a bandwidth there is none") {
  CHECK(*floor_of({10, 0, 100}, {{10.0}, {10.0}}).seconds == 10);
  CHECK(floor_of({10, 0, 100}, {{10.0}, {10.0}}).bound == Bound::compute);
  CHECK(*floor_of({10, 10, 5}, {{10.0}, {10.0}}).seconds == 2);
  const Floor without_peak = floor_of({10, 10, 5}, {{10.0}, {}});
  CHECK(*without_peak.seconds == 2);
  CHECK(without_peak.bound == Bound::unknown);
  CHECK_FALSE(floor_of({10, 10, 5}, {{}, {10.0}}).seconds);
}

TEST_CASE("ridge: where both sides take as long") {
  // Without a cache: 989/3.35 sequences. With 100 tokens: 4.480552 ms / (15.2298 − 3.9126 µs).
  CHECK(*ridge_batch(llama_8b(), kWeights, 1, 2, 0, kH100) == doctest::Approx(295.2).epsilon(0.002));
  CHECK(*ridge_batch(llama_8b(), kWeights, 1, 2, 100, kH100) == doctest::Approx(395.9).epsilon(0.002));
  CHECK_FALSE(ridge_batch(llama_8b(), kWeights, 1, 2, 8192, kH100));  // the cache takes longer than computing, always
  CHECK_FALSE(ridge_batch(llama_8b(), kWeights, 1, 2, 0, {{3.35e12}, {}}));
}

TEST_CASE("a prompt of 8192 on an H100: 133 ms, bound by computing; only its last token is projected") {
  const auto work = prefill_work(llama_8b(), kWeights, 1, 8192);
  REQUIRE(work);
  CHECK(work->operations == 131946808082432.0);  // 8192·(2·6979588096 + 4·32·128·32·4096) + 2·525336576
  const Floor floor = floor_of(*work, kH100);
  CHECK(*floor.seconds == doctest::Approx(0.133414).epsilon(1e-5));
  CHECK(floor.bound == Bound::compute);
}

TEST_CASE("a window bounds what a token looks at") {
  ModelShape shape = llama_8b();
  shape.window = 1000;
  shape.window_layers = 32;
  CHECK(*operations_per_token(shape, 8000, Phase::decode) == 15009849344.0 + 4.0 * 32 * 128 * 32 * 1000);
  // Over a prompt of 4000: 1000 − 1000²/(2·4000) = 875 on the mean.
  CHECK(*operations_per_token(shape, 2000, Phase::prefill) == 13959176192.0 + 4.0 * 32 * 128 * 32 * 875);
}

TEST_CASE("MLA decodes on the latent vector") {
  const auto with = operations_per_token(deepseek_v3(), 1000, Phase::decode),
             without = operations_per_token(deepseek_v3(), 0, Phase::decode);
  CHECK(*with - *without == doctest::Approx(2.0 * 128 * (576 + 512) * 61 * 1000));
}

TEST_CASE("experts: a batch reads those that it may be expected to touch") {
  ModelShape shape = llama_8b();
  shape.architecture = "MixtralForCausalLM";
  shape.vocabulary = 32000;
  shape.experts = Experts{8, 2, 14336, 0, 0};
  const double bytes = 46702792704.0 * 2, experts = 3.0 * 4096 * 14336 * 32 * 8 * 2, table = 32000.0 * 4096 * 2;
  const double always = bytes - experts - table;
  CHECK(decode_work(shape, bytes, 1, 2, {1, 0})->weight_bytes == doctest::Approx(always + experts / 4));
  CHECK(decode_work(shape, bytes, 1, 2, {2, 0})->weight_bytes == doctest::Approx(always + experts * (1 - 0.75 * 0.75)));
  CHECK(decode_work(shape, bytes, 1, 2, {500, 0})->weight_bytes == doctest::Approx(always + experts));
}

TEST_CASE("an architecture without a formula: all weights are read; with experts nothing is said") {
  ModelShape shape = llama_8b();
  shape.architecture = "OddoneForCausalLM";
  CHECK(decode_work(shape, kWeights, 1, 2, {1, 0})->weight_bytes == kWeights);
  shape.experts = Experts{8, 2, 14336, 0, 0};
  CHECK_FALSE(decode_work(shape, kWeights, 1, 2, {1, 0}));
}

TEST_CASE("the roof is the peak of what is computed in; 16 bits where a device has no FP8") {
  Device with = device(1e12, 100e12);
  CHECK(roof_of(with, {"bf16", 16, "bf16"}).peak == 100e12);
  CHECK(roof_of(with, {"fp16", 16, "fp16"}).peak == 100e12);  // only one of both is published
  CHECK_FALSE(roof_of(with, {"fp8", 8, "fp8"}).peak);         // not published: not known
  with.peaks[static_cast<std::size_t>(Precision::fp8)].is_absent = true;
  CHECK(roof_of(with, {"fp8", 8, "fp8"}).peak == 100e12);
  CHECK_FALSE(roof_of(device({}, 100e12), {"bf16", 16, "bf16"}).bandwidth);
}
