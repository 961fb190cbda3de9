#pragma once

#include "fit/model.hpp"

/// Shapes of published models, for tests.
namespace scoville::fit {

/// Llama-3.1-8B in bf16: 8 030 261 248 weights.
inline ModelShape llama_8b() {
  ModelShape out;
  out.architecture = "LlamaForCausalLM";
  out.dtype = "bfloat16";
  out.quantisation = "none";
  out.format = {"bf16", 16, "bf16"};
  out.layers = 32;
  out.hidden = 4096;
  out.heads = 32;
  out.kv_heads = 8;
  out.head_dim = 128;
  out.inner_size = 14336;
  out.vocabulary = 128256;
  out.ties_embeddings = false;
  out.context_trained = 131072;
  out.parameters = 8030261248.0;
  out.weight_bytes = 16060522496.0;
  out.weights_from = WeightsFrom::shape;
  return out;
}

/// DeepSeek-V3: 671 B weights, 37 B for a token, MLA.
inline ModelShape deepseek_v3() {
  ModelShape out;
  out.architecture = "DeepseekV3ForCausalLM";
  out.dtype = "bfloat16";
  out.quantisation = "fp8";
  out.format = {"fp8", 8, "fp8"};
  out.layers = 61;
  out.hidden = 7168;
  out.heads = 128;
  out.kv_heads = 128;
  out.head_dim = 56;
  out.inner_size = 18432;
  out.vocabulary = 129280;
  out.ties_embeddings = false;
  out.context_trained = 163840;
  out.latent = LatentAttention{512, 64, 1536, 128, 128};
  out.experts = Experts{256, 8, 2048, 2048, 3};
  return out;
}

}  // namespace scoville::fit
