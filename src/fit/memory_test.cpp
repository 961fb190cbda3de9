#include "fit/memory.hpp"

#include <doctest/doctest.h>

#include "fit/made_shape.hpp"

using namespace scoville::fit;

TEST_CASE("keys and values of a token: 2 · layers · KV heads · head size · bytes") {
  CHECK(kv_bytes_per_token(llama_8b(), 1, 2) == 131072);  // 2·32·8·128·2
  CHECK(kv_bytes_per_token(llama_8b(), 1, 1) == 65536);
  CHECK(kv_bytes_per_layer(llama_8b(), 1, 2) == 4096);
}

TEST_CASE("grouped heads are spread over the devices, then copied") {
  CHECK(kv_bytes_per_token(llama_8b(), 2, 2) == 65536);
  CHECK(kv_bytes_per_token(llama_8b(), 8, 2) == 16384);   // one of 8 heads each
  CHECK(kv_bytes_per_token(llama_8b(), 16, 2) == 16384);  // a whole head at the least: each is there twice
}

TEST_CASE("MLA keeps the latent vector and the rotary key, on every device") {
  CHECK(kv_bytes_per_token(deepseek_v3(), 1, 2) == 70272);  // (512+64)·61·2
  CHECK(kv_bytes_per_token(deepseek_v3(), 8, 2) == 70272);
}

TEST_CASE("a layer with a window keeps no more than that, one with a fixed state nothing") {
  ModelShape shape = llama_8b();
  shape.window = 1000;
  shape.window_layers = 16;
  CHECK(kv_bytes_of_sequence(shape, 1, 2, 500) == 131072.0 * 500);
  CHECK(kv_bytes_of_sequence(shape, 1, 2, 3000) == 4096.0 * (16 * 3000 + 16 * 1000));
  shape.window_layers = 0;
  shape.linear_layers = 24;
  CHECK(kv_bytes_of_sequence(shape, 1, 2, 3000) == 4096.0 * 8 * 3000);
}

TEST_CASE("what the files do not say is not guessed") {
  ModelShape shape = llama_8b();
  shape.layers.reset();
  CHECK_FALSE(kv_bytes_per_token(shape, 1, 2));
  shape = llama_8b();
  shape.head_dim.reset();
  CHECK_FALSE(kv_bytes_of_sequence(shape, 1, 2, 10));
}

TEST_CASE("attention heads must spread evenly") {
  CHECK(can_be_split(llama_8b(), 1));
  CHECK(can_be_split(llama_8b(), 16));
  CHECK_FALSE(can_be_split(llama_8b(), 3));
  ModelShape shape = llama_8b();
  shape.heads = 14;  // Qwen2.5-0.5B
  CHECK(can_be_split(shape, 2));
  CHECK_FALSE(can_be_split(shape, 4));
}

TEST_CASE("room for the cache: 0.9 of the memory, less 2 GB, less the weights' share") {
  CHECK(left_for_cache(80e9, {}, 16e9, 1) == doctest::Approx(54e9));
  CHECK(left_for_cache(80e9, {}, 16e9, 2) == doctest::Approx(62e9));
  CHECK(left_for_cache(16e9, {}, 16e9, 1) < 0);
  CHECK(left_for_cache(80e9, {0.5, 0}, 16e9, 1) == doctest::Approx(24e9));
}

TEST_CASE("the longest sequence that fits the room") {
  CHECK(longest_sequence(llama_8b(), 1, 2, 131072.0 * 1000 + 5) == 1000);
  CHECK(longest_sequence(llama_8b(), 1, 2, -1) == 0);
  ModelShape shape = llama_8b();
  shape.window = 100;
  shape.window_layers = 16;  // 16 layers grow, 16 hold 100 tokens
  CHECK(longest_sequence(shape, 1, 2, 4096.0 * (16 * 700 + 16 * 100)) == 700);
  shape.window_layers = 32;
  CHECK_FALSE(longest_sequence(shape, 1, 2, 1e9));
}
