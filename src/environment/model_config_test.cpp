#include "environment/model_config.hpp"

#include <doctest/doctest.h>

#include "environment/made_folder.hpp"
#include "environment/made_gguf.hpp"

using namespace scoville;
using namespace scoville::environment;
using event::FieldStatus;
using event::Fingerprint;

namespace {

Fingerprint with(const char* name, const std::string& content, const char* config = R"({"model_type":"x"})") {
  MadeFolder folder;
  folder.file("config.json", config);
  folder.file(name, content);
  Fingerprint out;
  read_model_config(folder.path(), out);
  return out;
}

Fingerprint config(const std::string& content) { return with("config.json", content); }

std::string quantisation(const Fingerprint& f) {
  return f.text("model.weights.quantisation") + " " + f.text("model.weights.quantisation_bits") + " " +
         f.text("model.weights.quantisation_scheme");
}

}  // namespace

TEST_CASE("config.json gives the architecture and the sizes") {
  const Fingerprint f = config(R"({"architectures":["Qwen2ForCausalLM"],"torch_dtype":"bfloat16","num_hidden_layers":28,
      "num_attention_heads":28,"num_key_value_heads":4,"hidden_size":3584,"max_position_embeddings":32768,
      "vocab_size":152064})");
  CHECK(f.text("model.architecture") == "Qwen2ForCausalLM");
  CHECK(f.text("model.weights.dtype") == "bfloat16");
  CHECK(f.text("model.layers") == "28");
  CHECK(f.text("model.kv_heads") == "4");
  CHECK(f.text("model.context_trained") == "32768");
  CHECK(f.find("model.layers")->source == "config.json");
  CHECK(f.text("model.weights.quantisation") == "none");
  CHECK(f.find("model.experts") == nullptr);
}

TEST_CASE("a multimodal model keeps its sizes one level deeper; the newer name of the data type counts too") {
  const Fingerprint f = config(R"({"architectures":["V"],"dtype":"float16","text_config":{"num_hidden_layers":3,
      "num_experts":8,"quantization_config":{"quant_method":"awq","bits":4}}})");
  CHECK(f.text("model.layers") == "3");
  CHECK(f.text("model.experts") == "8");
  CHECK(f.text("model.weights.dtype") == "float16");
  CHECK(quantisation(f) == "awq 4 ");
}

TEST_CASE("the sizes that memory and work are computed from") {
  const Fingerprint f = config(R"({"architectures":["DeepseekV3ForCausalLM"],"num_hidden_layers":61,"kv_lora_rank":512,
      "qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,"q_lora_rank":1536,"moe_intermediate_size":2048,
      "n_shared_experts":1,"first_k_dense_replace":3,"intermediate_size":18432,"tie_word_embeddings":false,
      "sliding_window":null})");
  CHECK(f.text("model.kv_lora_rank") == "512");
  CHECK(f.text("model.expert_intermediate_size") == "2048");
  CHECK(f.text("model.dense_layers") == "3");
  CHECK(f.text("model.tied_embeddings") == "false");
  CHECK(f.find("model.sliding_window") == nullptr);
}

TEST_CASE("layers that look back only so far are counted; a window that is switched off is none") {
  const Fingerprint listed = config(R"({"model_type":"gpt_oss","num_hidden_layers":3,"sliding_window":128,
      "layer_types":["sliding_attention","full_attention","sliding_attention"]})");
  CHECK(listed.text("model.window_layers") == "2");
  CHECK(listed.text("model.sliding_window") == "128");
  CHECK(listed.text("model.linear_layers") == "0");
  const Fingerprint pattern = config(R"({"model_type":"gemma3","text_config":{"num_hidden_layers":26,
      "sliding_window":512,"sliding_window_pattern":6}})");
  CHECK(pattern.text("model.window_layers") == "22");  // 26 − 26/6
  const Fingerprint all = config(R"({"model_type":"mistral","num_hidden_layers":32,"sliding_window":4096})");
  CHECK(all.text("model.window_layers") == "32");
  const Fingerprint off = config(R"({"model_type":"qwen2","num_hidden_layers":28,"sliding_window":32768,
      "use_sliding_window":false})");
  CHECK(off.find("model.sliding_window") == nullptr);
  const Fingerprint mixed = config(R"({"num_hidden_layers":4,"layer_types":["linear_attention","linear_attention",
      "linear_attention","full_attention"]})");
  CHECK(mixed.text("model.linear_layers") == "3");
}

TEST_CASE("each way to quantise is told by its own file and names") {
  CHECK(quantisation(config(R"({"quantization_config":{"quant_method":"gptq","bits":4}})")) == "gptq 4 ");
  CHECK(quantisation(config(R"({"quantization_config":{"quant_method":"fp8","fmt":"e4m3"}})")) == "fp8 8 e4m3");
  CHECK(quantisation(config(R"({"quantization_config":{"quant_method":"mxfp4"}})")) == "mxfp4 4 ");
  CHECK(quantisation(config(R"({"quantization_config":{"quant_method":"bitsandbytes","load_in_8bit":true}})")) ==
        "bitsandbytes 8 ");
  CHECK(quantisation(config(R"({"quantization_config":{"quant_method":"compressed-tensors","format":"int-quantized",
      "config_groups":{"group_0":{"weights":{"num_bits":8,"type":"int"}}}}})")) ==
        "compressed-tensors 8 int-quantized");
  CHECK(quantisation(with("quantize_config.json", R"({"bits":4,"group_size":128})")) == "gptq 4 ");
  CHECK(quantisation(with("quant_config.json", R"({"w_bit":4,"version":"GEMM"})")) == "awq 4 GEMM");
  CHECK(quantisation(with("hf_quant_config.json", R"({"quantization":{"quant_algo":"NVFP4"}})")) == "modelopt  NVFP4");
  CHECK(quantisation(with("quant_model_description_w8a8.json", R"({"model_quant_type":"W8A8"})")) == "modelslim  W8A8");
  CHECK(
      quantisation(with("quant_model_description.json",
                        R"({"a.weight":"W8A8_DYNAMIC","b.weight":"W8A8_DYNAMIC","c.weight":"W4A8","d.w":"FLOAT"})")) ==
      "modelslim  W8A8_DYNAMIC");
}

TEST_CASE("a missing and a broken config.json are not the same") {
  MadeFolder folder;
  Fingerprint missing, broken;
  read_model_config(folder.path(), missing);
  CHECK(missing.find("model.architecture")->status == FieldStatus::absent);
  CHECK(missing.find("model.weights.quantisation")->status == FieldStatus::absent);
  folder.file("config.json", "{");
  read_model_config(folder.path(), broken);
  CHECK(broken.find("model.architecture")->status == FieldStatus::error);
}

TEST_CASE("a GGUF header gives the same keys") {
  MadeFolder folder;
  folder.file("m.gguf", MadeGguf()
                            .text("general.architecture", "llama")
                            .text("general.name", "Tiny")
                            .u32("general.file_type", 3)
                            .u32("llama.context_length", 8192)
                            .u32("llama.block_count", 30)
                            .u32("llama.attention.head_count_kv", 3)
                            .texts("tokenizer.ggml.tokens", {"a", "b"})
                            .bytes(272));
  Fingerprint f;
  read_gguf_fields(*read_gguf_header(folder / "m.gguf"), f);
  CHECK(f.text("model.architecture") == "llama");
  CHECK(f.text("model.weights.quantisation") == "Q4_1");
  CHECK(f.text("model.context_trained") == "8192");
  CHECK(f.text("model.layers") == "30");
  CHECK(f.text("model.kv_heads") == "3");
  CHECK(f.text("model.vocabulary") == "2");
  CHECK(f.text("model.tensors") == "272");
}
