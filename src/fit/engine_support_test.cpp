#include "fit/engine_support.hpp"

#include <doctest/doctest.h>

#include <set>

#include "fit/made_shape.hpp"

using namespace scoville;
using namespace scoville::fit;

namespace {

ModelShape quantised(const std::string& method, const std::string& architecture = "LlamaForCausalLM") {
  ModelShape out = llama_8b();
  out.quantisation = method;
  out.architecture = architecture;
  return out;
}

Loads built_in(const char* engine, const char* device, const ModelShape& shape) {
  return built_in_support().ask(engine, *built_in_devices().find(device), shape).loads;
}

SupportTable table(const std::string& facts) {
  Result<SupportTable> read =
      parse_support("sources: {s: {address: \"https://x.example\", version: v1}}\nfacts:\n" + facts, "t.yaml");
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  return *read;
}

}  // namespace

TEST_CASE("the built-in table: every statement has an address, a device that exists and something that it speaks of") {
  std::set<std::string> known;
  for (const Device& each : built_in_devices().all()) known.insert({each.vendor, each.family});
  CHECK(built_in_support().facts().size() >= 40);
  for (const SupportFact& each : built_in_support().facts()) {
    CAPTURE(each.engine);
    CAPTURE(each.source);
    CHECK((each.source.starts_with("https://") || each.source.starts_with("PyPI: ")));  // a page, or a package by name
    CHECK_FALSE(each.devices.empty());
    for (const std::string& device : each.devices) CHECK_MESSAGE(known.count(device) == 1, device);
    CHECK_FALSE((each.quantisations.empty() && each.architectures.empty()));
  }
}

TEST_CASE("published: yes, no, and nothing") {
  CHECK(built_in("vllm", "h100-sxm", quantised("awq")) == Loads::yes);
  CHECK(built_in("vllm", "v100-sxm2-32", quantised("awq")) == Loads::no);
  CHECK(built_in("vllm", "mi300x", quantised("gptq")) == Loads::no);
  CHECK(built_in("vllm", "b200-sxm", quantised("awq")) == Loads::unknown);
  CHECK(built_in("vllm", "ascend-910b2", quantised("none")) == Loads::yes);
  CHECK(built_in("vllm", "ascend-910b2", quantised("none", "ChatGLMForConditionalGeneration")) == Loads::no);
  CHECK(built_in("vllm", "kunlun-p800", quantised("none")) == Loads::unknown);
  CHECK(built_in("llama.cpp", "ascend-910b2", quantised("Q8_0", "llama")) == Loads::yes);
  CHECK(built_in("llama.cpp", "ascend-910b2", quantised("Q4_K_M", "llama")) == Loads::unknown);
  CHECK(built_in("llama.cpp", "h100-sxm", quantised("none")) == Loads::no);  // GGUF alone
  CHECK(built_in("sglang", "h100-sxm", quantised("awq")) == Loads::yes);
  CHECK(built_in("sglang", "h100-sxm", quantised("modelslim")) == Loads::no);
  CHECK(built_in("tensorrt-llm", "h100-sxm", quantised("fp8")) == Loads::yes);
  CHECK(built_in("nobody", "h100-sxm", quantised("none")) == Loads::unknown);
}

TEST_CASE("yes takes both; one no is enough; contradictions are unknown") {
  const Device& h100 = *built_in_devices().find("h100-sxm");
  const std::string awq = "- {engine: e, on: [nvidia], quantisation: [awq], loads: \"yes\", source: s}\n";
  CHECK(table(awq).ask("e", h100, quantised("awq")).loads == Loads::unknown);
  CHECK(table(awq).ask("e", h100, quantised("awq")).quantisation == Loads::yes);
  const std::string llama = "- {engine: e, on: [hopper], architecture: [llama], loads: \"yes\", source: s}\n";
  const SupportAnswer both = table(awq + llama).ask("e", h100, quantised("awq"));
  CHECK(both.loads == Loads::yes);
  CHECK(both.facts.size() == 2);
  CHECK(both.facts.front().source == "https://x.example");
  CHECK(both.facts.front().version == "v1");
  const std::string not_llama = "- {engine: e, on: [nvidia], architecture: [llama], loads: \"no\", source: s}\n";
  CHECK(table(awq + not_llama).ask("e", h100, quantised("awq")).loads == Loads::no);
  CHECK(table(awq + llama + not_llama).ask("e", h100, quantised("awq")).loads == Loads::unknown);
}

TEST_CASE("a statement on both counts over the general ones") {
  const Device& h100 = *built_in_devices().find("h100-sxm");
  const SupportTable all = table(
      "- {engine: e, on: [nvidia], quantisation: [awq], loads: \"yes\", source: s}\n"
      "- {engine: e, on: [nvidia], architecture: [llama], loads: \"yes\", source: s}\n"
      "- {engine: e, on: [nvidia], quantisation: [awq], architecture: [llama], loads: \"no\", source: s}\n");
  CHECK(all.ask("e", h100, quantised("awq")).loads == Loads::no);
  CHECK(all.ask("e", h100, quantised("awq", "Qwen2ForCausalLM")).loads == Loads::unknown);
}

TEST_CASE("names of architectures and quantisations") {
  CHECK(family_of("LlamaForCausalLM") == "llama");
  CHECK(family_of("Llama4ForConditionalGeneration") == "llama4");
  CHECK(family_of("Qwen3MoeForCausalLM") == "qwen3-moe");
  CHECK(family_of("qwen3") == "qwen3");
  CHECK(family_of("Glm4MoeForCausalLM") == "glm4-moe");
  CHECK(family_of("OddoneForCausalLM").empty());
  CHECK(quantisation_of(quantised("none")) == "none");
  CHECK(quantisation_of(quantised("Q4_K_M")) == "gguf-q4_k_m");
  CHECK(quantisation_of(quantised("")).empty());
  ModelShape w8a8 = quantised("compressed-tensors");
  w8a8.format = {"w8a8", 8, "int8"};
  CHECK(quantisation_of(w8a8) == "compressed-tensors-w8a8");
}

TEST_CASE("a statement with an unknown key is refused") {
  CHECK_FALSE(parse_support("facts: [{engine: e, on: [nvidia], loads: maybe, source: s}]", "t").ok());
  CHECK_FALSE(parse_support("facts: [{engine: e, on: [nvidia], loads: \"yes\", source: s, colour: red}]", "t").ok());
}
