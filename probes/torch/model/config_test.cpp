#include "model/config.hpp"

#include <doctest/doctest.h>

namespace scoville::torch_probe::model {
namespace {

const std::string kLlama =
    R"("vocab_size":100,"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":128)";

std::string fault_of(const std::string& members) {
  const auto config = config_from_json("{" + members + "}", "m");
  REQUIRE_FALSE(config);
  return config.error().message;
}

TEST_CASE("a preset has the parameters that its shape gives") {
  // hidden 4, 1 layer, 2 heads of 2 and 1 kv head, intermediate 8, vocab 10, by hand: qkv (2+2)·2·4 = 32, output 16,
  // mlp 3·4·8 = 96, norms 8; twice the embedding 40 and the last norm 4.
  Config made;
  made.vocab = 10, made.hidden = 4, made.layers = 1, made.heads = 2, made.kv_heads = 1, made.head_dim = 2,
  made.intermediate = 8;
  CHECK(made.parameters() == 32 + 16 + 96 + 8 + 2 * 40 + 4);
  CHECK(preset("135m")->parameters() == 134515008);  // as its makers state
  CHECK(preset("1b")->parameters() == 1235814400);
  CHECK(preset("8b")->parameters() == 8030261248);
  CHECK_FALSE(preset("9b"));
}

TEST_CASE("a config.json of each family is read; what it leaves out takes the family's default") {
  const auto llama = config_from_json(
      R"({"model_type":"llama",)" + kLlama + R"(,"rope_theta":5e5,"eos_token_id":[2,7],"bos_token_id":1})", "m");
  REQUIRE(llama);
  CHECK(llama->kv_heads == 4);
  CHECK(llama->head_dim == 16);
  CHECK(llama->rope_theta == 5e5);
  CHECK(llama->eos == std::vector<std::int64_t>{2, 7});
  CHECK_FALSE(llama->qkv_bias);
  const auto qwen2 = config_from_json(R"({"model_type":"qwen2",)" + kLlama + R"(,"num_key_value_heads":2})", "m");
  CHECK(qwen2->qkv_bias);
  const auto qwen3 =
      config_from_json(R"({"model_type":"qwen3",)" + kLlama + R"(,"head_dim":32,"tie_word_embeddings":true})", "m");
  CHECK(qwen3->qk_norm);
  CHECK(qwen3->head_dim == 32);
  CHECK(qwen3->tie_embeddings);
}

TEST_CASE("both places of rope parameters are read") {
  const std::string llama3 =
      R"({"rope_type":"llama3","factor":32,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192})";
  const auto older = config_from_json(R"({"model_type":"llama","rope_scaling":)" + llama3 + "," + kLlama + "}", "m");
  REQUIRE(older);
  CHECK(older->rope_scaling->factor == 32);
  const auto newer = config_from_json(
      R"({"model_type":"llama","rope_parameters":{"rope_type":"default","rope_theta":7e4},)" + kLlama + "}", "m");
  CHECK(newer->rope_theta == 7e4);
  CHECK_FALSE(newer->rope_scaling);
}

TEST_CASE("what is not loaded is said") {
  CHECK(fault_of(R"("model_type":"mixtral",)" + kLlama) ==
        "model_type mixtral (loaded are llama, qwen2, qwen3): not loaded by the reference model");
  CHECK(fault_of(R"("model_type":"llama","num_local_experts":8,)" + kLlama) ==
        "a mixture of experts (num_local_experts): not loaded by the reference model");
  CHECK(fault_of(R"("model_type":"qwen2","use_sliding_window":true,)" + kLlama).find("a sliding window") == 0);
  CHECK(fault_of(R"("model_type":"llama","quantization_config":{},)" + kLlama).find("quantised weights") == 0);
  CHECK(fault_of(R"("model_type":"llama","rope_scaling":{"type":"yarn","factor":4},)" + kLlama) ==
        "rope_scaling of type yarn: not loaded by the reference model");
  CHECK(fault_of(R"("model_type":"llama")") == "vocab_size: expected a whole number from 1 to 2^30");
  CHECK(fault_of(R"("model_type":"llama","num_key_value_heads":3,)" + kLlama) ==
        "num_key_value_heads: expected a divisor of num_attention_heads");
}

}  // namespace
}  // namespace scoville::torch_probe::model
