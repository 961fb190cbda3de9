#include "report/model_based.hpp"

#include <doctest/doctest.h>

#include "report/made_bench.hpp"

using namespace scoville;
using namespace scoville::report;

namespace {

/// The made run as if on these devices, with the sizes of Llama-3.1-8B.
BenchSubject on(const MadeBench& made, const std::string& device) {
  BenchSubject out = made.subject;
  event::Fingerprint& system = out.system;
  for (const char* card : {"0", "1"})
    system.add(std::string("device.nvidia.") + card + ".name", json::value(device), "nvidia-smi");
  system.add("model.architecture", "LlamaForCausalLM", "config.json");
  system.add("model.weights.quantisation", "none", "config.json");
  const std::pair<const char*, int> sizes[] = {{"layers", 32},  {"hidden_size", 4096},        {"heads", 32},
                                               {"kv_heads", 8}, {"intermediate_size", 14336}, {"vocabulary", 128256}};
  for (const auto& [key, size] : sizes) system.add(std::string("model.") + key, size, "config.json");
  system.add("model.tied_embeddings", false, "config.json");
  return out;
}

}  // namespace

TEST_CASE("two known devices: MBU and MFU, in JSON and in one line that says where they come from") {
  const MadeBench made = made_bench();
  const analyse::Analysis analysis = made.analysis();
  const BenchSubject subject = on(made, "NVIDIA H200");
  const fit::Share share = model_based_share(analysis, subject);
  REQUIRE(share.reason == fit::NoShare::none);
  CHECK(share.devices == 2);  // the engine's tensor parallelism
  // TPOT P50 of about 10.5 ms: half of 15 GB each, at 4.8 TB/s; the cache adds some parts in a thousand.
  const double tpot = to_seconds(*analysis.latency(analyse::Latency::tpot).at(0.5)->value);
  CHECK(*share.mbu == doctest::Approx(15009849344.0 / 2 / tpot / 4.8e12).epsilon(0.05));
  CHECK(*share.mbu >= 15009849344.0 / 2 / tpot / 4.8e12);
  const double output = *analysis.rates.output_tokens_per_s.full,
               prompt = *analysis.rates.total_tokens_per_s.full - output;
  CHECK(*share.mfu == doctest::Approx((output * 15009849344.0 + prompt * 13959176192.0) / (2 * 989e12)).epsilon(0.05));
  const json::object object = model_based_json(share);
  CHECK(object.at("device") == "h200-sxm");
  CHECK(object.at("reason").is_null());
  const std::string line = model_based_line(share);
  CHECK(line.find("model-based") != std::string::npos);
  CHECK(line.find("MBU") != std::string::npos);
  CHECK(bench_table(analysis, made.plan, made.shape, subject).find("share of the model-based floor") !=
        std::string::npos);
}

TEST_CASE("a device that the catalogue lacks: null with the reason, and no line in the table") {
  const MadeBench made = made_bench();
  const analyse::Analysis analysis = made.analysis();
  const fit::Share share = model_based_share(analysis, made.subject);
  const json::object object = model_based_json(share);
  CHECK(object.at("mbu").is_null());
  CHECK(object.at("mfu").is_null());
  CHECK(object.at("reason") == "the device is not in the catalogue");
  CHECK(model_based_line(share).empty());
  CHECK(bench_table(analysis, made.plan, made.shape, made.subject).find("MBU") == std::string::npos);
}
