#include "cli/backends.hpp"

#include <doctest/doctest.h>

namespace scoville::cli {

using plan::Dialect;

TEST_CASE("vLLM's names mean the APIs that its client speaks with them") {
  CHECK(dialect_of_backend("vllm") == Dialect::openai_completions);
  CHECK(dialect_of_backend("openai") == Dialect::openai_completions);
  CHECK(dialect_of_backend("openai-chat") == Dialect::openai);
  CHECK(dialect_of_backend("sglang-oai-chat") == Dialect::openai);
  CHECK(dialect_of_backend("tgi") == Dialect::tgi);
  CHECK(dialect_of_backend("tensorrt-llm") == Dialect::triton);
  CHECK(dialect_of_backend("vllm-pooling") == Dialect::openai_embeddings);
  CHECK(dialect_of_backend("mindie") == Dialect::mindie);
  CHECK_FALSE(dialect_of_backend("infinity-embeddings"));
  CHECK_FALSE(dialect_of_backend(""));
}

TEST_CASE("each dialect has a name in vLLM's words, which means it") {
  for (const Dialect each :
       {Dialect::openai, Dialect::openai_completions, Dialect::ollama_chat, Dialect::ollama_generate, Dialect::tgi,
        Dialect::triton, Dialect::openai_responses, Dialect::openai_embeddings, Dialect::mindie, Dialect::lmdeploy}) {
    CHECK(dialect_of_backend(backend_of(each)) == each);
  }
  CHECK(backend_of(Dialect::openai) == "openai-chat");
  CHECK(backend_of(Dialect::openai_completions) == "openai");
}

TEST_CASE("a path says its API by its end") {
  CHECK(dialect_of_path("/v1/chat/completions") == Dialect::openai);
  CHECK(dialect_of_path("/v1/completions") == Dialect::openai_completions);
  CHECK(dialect_of_path("/gateway/a/v1/completions") == Dialect::openai_completions);
  CHECK(dialect_of_path("/v1/responses") == Dialect::openai_responses);
  CHECK(dialect_of_path("/v1/embeddings") == Dialect::openai_embeddings);
  CHECK(dialect_of_path("/pooling") == Dialect::openai_embeddings);
  CHECK(dialect_of_path("/infer") == Dialect::mindie);
  CHECK(dialect_of_path("/api/chat") == Dialect::ollama_chat);
  CHECK_FALSE(dialect_of_path("/generate_stream"));  // TGI and Triton both
  CHECK_FALSE(dialect_of_path(""));
}

}  // namespace scoville::cli
