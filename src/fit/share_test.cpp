#include "fit/share.hpp"

#include <doctest/doctest.h>

#include "fit/made_shape.hpp"

using namespace scoville;
using namespace scoville::fit;

namespace {

const Device& h100() { return *built_in_devices().find("h100-sxm"); }

/// 10 ms a token, 1000 tokens a second in all, prompts of 1000, answers of 200.
Measured measured() { return {0.010, 1000, 5000, 1000, 200}; }

event::Fingerprint system_of(const std::string& device) {
  event::Fingerprint out;
  out.add("model.architecture", "LlamaForCausalLM", "t");
  out.add("model.weights.dtype", "bfloat16", "t");
  out.add("model.weights.quantisation", "none", "t");
  out.add("model.layers", 32, "t");
  out.add("model.hidden_size", 4096, "t");
  out.add("model.heads", 32, "t");
  out.add("model.kv_heads", 8, "t");
  out.add("model.head_dim", 128, "t");
  out.add("model.intermediate_size", 14336, "t");
  out.add("model.vocabulary", 128256, "t");
  out.add("model.tied_embeddings", false, "t");
  if (!device.empty()) out.add("device.0.name", json::value(device), "t");
  return out;
}

NoShare reason(const event::Fingerprint& system, std::size_t devices = 0, const Measured& run = measured()) {
  return share_of_run(system, devices, built_in_devices(), run).reason;
}

}  // namespace

TEST_CASE("Llama-3.1-8B on an H100: shares of bandwidth and peak") {
  const Share share = share_of(llama_8b(), h100(), 1, 2, measured());
  REQUIRE(share.reason == NoShare::none);
  // (15009849344 / 0.010 + 131072·1100·1000) / 3.35e12
  CHECK(*share.mbu == doctest::Approx(0.491094).epsilon(1e-5));
  // (1000·(15009849344 + 524288·1100) + 5000·(13959176192 + 524288·500)) / 989e12
  CHECK(*share.mfu == doctest::Approx(0.0876574).epsilon(1e-5));
  const Share on_two = share_of(llama_8b(), h100(), 2, 2, measured());
  CHECK(*on_two.mbu == doctest::Approx(*share.mbu / 2));
  CHECK(*on_two.mfu == doctest::Approx(*share.mfu / 2));
}

TEST_CASE("a run's fingerprint says the same") {
  const Share share = share_of_run(system_of("NVIDIA H100 80GB HBM3"), 0, built_in_devices(), measured());
  CHECK(share.device == "h100-sxm");
  CHECK(share.devices == 1);
  CHECK(*share.mbu == doctest::Approx(0.491094).epsilon(1e-5));
  event::Fingerprint two = system_of("NVIDIA H100 80GB HBM3");
  two.add("device.1.name", "NVIDIA H100 80GB HBM3", "t");
  CHECK(reason(two) == NoShare::devices_not_said);
  CHECK(share_of_run(two, 2, built_in_devices(), measured()).devices == 2);
  two.add("engine.flags.tensor_parallel_size", "2", "t");
  CHECK(share_of_run(two, 0, built_in_devices(), measured()).devices == 2);
}

TEST_CASE("a device that a person stated counts, for as many as were said") {
  event::Fingerprint stated = system_of("Some Unlisted Card");
  stated.add("device.stated.name", "h100-sxm", "--device-name");
  CHECK(reason(stated) == NoShare::devices_not_said);
  CHECK(share_of_run(stated, 4, built_in_devices(), measured()).device == "h100-sxm");
}

TEST_CASE("what is missing is said, and there is no percentage") {
  CHECK(reason(system_of("")) == NoShare::device_unknown);
  event::Fingerprint mixed = system_of("NVIDIA H100 80GB HBM3");
  mixed.add("device.1.name", "NVIDIA H200", "t");
  CHECK(reason(mixed, 2) == NoShare::device_unknown);
  CHECK(reason(system_of("NVIDIA H800")) == NoShare::device_not_listed);
  CHECK(reason(system_of("P800")) == NoShare::bandwidth_unknown);
  CHECK(reason(system_of("NVIDIA H200"), 1, {}) == NoShare::not_measured);
  event::Fingerprint no_sizes;
  no_sizes.add("device.0.name", "NVIDIA H200", "t");
  CHECK(reason(no_sizes) == NoShare::model_unknown);
  CHECK_FALSE(share_of_run(system_of("P800"), 1, built_in_devices(), measured()).mbu);
}

TEST_CASE("without a published peak MBU alone is said") {
  Device device = h100();
  device.peaks = {};
  const Share share = share_of(llama_8b(), device, 1, 2, measured());
  CHECK(share.mbu);
  CHECK_FALSE(share.mfu);
}
