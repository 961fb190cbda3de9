#include "fit/model.hpp"

#include <doctest/doctest.h>

#include "environment/made_folder.hpp"
#include "environment/made_gguf.hpp"

using namespace scoville;
using namespace scoville::fit;
using environment::MadeFolder;
using environment::MadeGguf;

namespace {

constexpr const char* kLlama = R"({"architectures":["LlamaForCausalLM"],"torch_dtype":"bfloat16","num_hidden_layers":32,
  "num_attention_heads":32,"num_key_value_heads":8,"hidden_size":4096,"intermediate_size":14336,"vocab_size":128256,
  "max_position_embeddings":131072,"tie_word_embeddings":false)";

ModelShape read(const MadeFolder& folder, const std::string& name = "") {
  const Result<ModelShape> shape = read_shape(name.empty() ? folder.path() : folder / name);
  REQUIRE_MESSAGE(shape.ok(), (shape ? "" : shape.error().message));
  return *shape;
}

ModelShape of_config(const std::string& config) {
  MadeFolder folder;
  folder.file("config.json", config);
  return read(folder);
}

std::string refusal(const std::string& path) {
  const Result<ModelShape> shape = read_shape(path);
  return shape ? std::string() : shape.error().message;
}

}  // namespace

TEST_CASE("config.json alone: sizes, and weights by the formula") {
  const ModelShape shape = of_config(std::string(kLlama) + "}");
  CHECK(shape.layers == 32);
  CHECK(shape.kv_heads == 8);
  CHECK(shape.head_dim == 128);
  CHECK(shape.parameters == 8030261248);
  CHECK(shape.weight_bytes == 16060522496);
  CHECK(shape.weights_from == WeightsFrom::shape);
  CHECK(shape.format.name == "bf16");
  CHECK_FALSE(shape.latent);
  CHECK_FALSE(shape.has_experts());
}

TEST_CASE("weight files count as they are; without them the index says") {
  MadeFolder folder;
  folder.file("config.json", std::string(kLlama) + "}");
  folder.file("model.safetensors.index.json", R"({"metadata":{"total_size":16060522496},"weight_map":{}})");
  CHECK(read(folder).weights_from == WeightsFrom::index);
  CHECK(read(folder).weight_bytes == 16060522496);
  folder.file("model.safetensors", std::string(1000, 'x'));
  folder.file("pytorch_model.bin", std::string(3000, 'x'));  // the same weights once more
  CHECK(read(folder).weights_from == WeightsFrom::files);
  CHECK(read(folder).weight_bytes == 1000);
  CHECK(read(folder, "config.json").weight_bytes == 1000);
}

TEST_CASE("quantised: AWQ computes in 16 bits with 4 stored, FP8 in FP8, W8A8 in INT8") {
  const ModelShape awq =
      of_config(std::string(kLlama) + R"(,"quantization_config":{"quant_method":"awq","bits":4,"group_size":128}})");
  CHECK(awq.format.compute == "bf16");
  CHECK(awq.format.is_weight_only);
  CHECK(*awq.weight_bytes == 5727460432.0);  // 6979588096·4.15625/8 + 1050673152·2
  const ModelShape fp8 = of_config(std::string(kLlama) + R"(,"quantization_config":{"quant_method":"fp8"}})");
  CHECK(fp8.format.compute == "fp8");
  CHECK(*fp8.weight_bytes == 6979588096.0 + 1050673152 * 2.0);
}

TEST_CASE("DeepSeek-V3: MLA and experts") {
  const ModelShape shape = of_config(R"({"architectures":["DeepseekV3ForCausalLM"],"torch_dtype":"bfloat16",
    "num_hidden_layers":61,"num_attention_heads":128,"num_key_value_heads":128,"hidden_size":7168,
    "intermediate_size":18432,"moe_intermediate_size":2048,"n_routed_experts":256,"n_shared_experts":1,
    "num_experts_per_tok":8,"first_k_dense_replace":3,"kv_lora_rank":512,"q_lora_rank":1536,"qk_rope_head_dim":64,
    "qk_nope_head_dim":128,"v_head_dim":128,"vocab_size":129280,"tie_word_embeddings":false,
    "quantization_config":{"quant_method":"fp8"}})");
  REQUIRE(shape.latent);
  CHECK(shape.latent->kv_rank + shape.latent->rope_dim == 576);
  REQUIRE(shape.experts);
  CHECK(shape.experts->count == 256);
  CHECK(shape.experts->shared_size == 2048);
  CHECK(shape.experts->dense_layers == 3);
  CHECK(*shape.parameters == doctest::Approx(671e9).epsilon(0.001));
}

TEST_CASE("a head size of its own, and windows") {
  const ModelShape shape = of_config(R"({"architectures":["Gemma3ForCausalLM"],"hidden_size":1152,"head_dim":256,
    "num_attention_heads":4,"num_key_value_heads":1,"num_hidden_layers":26,"sliding_window":512,
    "sliding_window_pattern":6,"intermediate_size":6912,"vocab_size":262144})");
  CHECK(shape.head_dim == 256);
  CHECK(shape.window == 512);
  CHECK(shape.window_layers == 22);
}

TEST_CASE("a GGUF file: sizes in its header, weights as large as the file") {
  const auto gguf = MadeGguf()
                        .text("general.architecture", "llama")
                        .text("general.name", "Tiny")
                        .u32("general.file_type", 15)
                        .u32("llama.block_count", 30)
                        .u32("llama.embedding_length", 576)
                        .u32("llama.attention.head_count", 9)
                        .u32("llama.attention.head_count_kv", 3)
                        .u32("llama.feed_forward_length", 1536)
                        .u32("llama.vocab_size", 49152)
                        .bytes(1) +
                    MadeGguf::tensor("token_embd.weight", {576, 49152});
  MadeFolder folder;
  folder.file("tiny.gguf", gguf);
  for (const char* name : {"tiny.gguf", ""}) {
    const ModelShape shape = read(folder, name);
    CHECK(shape.name == "Tiny");
    CHECK(shape.layers == 30);
    CHECK(shape.head_dim == 64);
    CHECK(shape.weight_bytes == static_cast<double>(gguf.size()));
    CHECK(shape.weights_from == WeightsFrom::files);
    CHECK(shape.quantisation == "Q4_K_M");
  }
  folder.file("other.gguf", gguf);
  CHECK(refusal(folder.path()).find("other.gguf") != std::string::npos);
}

TEST_CASE("what cannot be read is refused in one line") {
  MadeFolder folder;
  CHECK(refusal(folder / "nowhere") == "no such file or folder");
  CHECK(refusal(folder.path()).find("neither") != std::string::npos);
  folder.file("config.json", "{");
  CHECK(refusal(folder.path()).find("not readable JSON") != std::string::npos);
  folder.file("bad.gguf", "GGUF");
  CHECK_FALSE(refusal(folder / "bad.gguf").empty());
}

TEST_CASE("an unknown architecture without files: no weights, yet the cache is known") {
  std::string config = std::string(kLlama) + "}";
  config.replace(config.find("LlamaFor"), 8, "OddoneFor");
  const ModelShape shape = of_config(config);
  CHECK_FALSE(shape.weight_bytes);
  CHECK(shape.weights_from == WeightsFrom::nothing);
  CHECK(shape.kv_heads == 8);
}

TEST_CASE("formats by name") {
  CHECK(format_named("bf16")->bits == 16);
  CHECK(format_named("int4")->is_weight_only);
  CHECK(format_named("fp8")->compute == "fp8");
  CHECK_FALSE(format_named("int3"));
}
