#include "environment/secrets.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace scoville::environment;
using Words = std::vector<std::string>;

TEST_CASE("names that may hold a secret are told from the names of the trade") {
  for (const char* name : {"api_key", "--api-key", "HF_TOKEN", "admin_api_key", "ssl_keyfile_password", "client-secret",
                           "AWS_CREDENTIALS", "Authorization"}) {
    CAPTURE(name);
    CHECK(is_secret_name(name));
  }
  for (const char* name : {"max_total_tokens", "--max-num-batched-tokens", "tokenizer", "skip_tokenizer_init",
                           "num_key_value_heads", "eos_token_id", "dtype"}) {
    CAPTURE(name);
    CHECK_FALSE(is_secret_name(name));
  }
}

TEST_CASE("secrets leave a command line, all else stays") {
  CHECK(masked_arguments({"vllm", "serve", "m", "--api-key", "a", "b", "--dtype", "auto"}) ==
        Words{"vllm", "serve", "m", "--api-key", "***", "***", "--dtype", "auto"});
  CHECK(masked_arguments({"--api-key=a", "--max-num-seqs=8"}) == Words{"--api-key=***", "--max-num-seqs=8"});
  CHECK(masked_arguments({"env", "HF_TOKEN=a", "python"}) == Words{"env", "HF_TOKEN=***", "python"});
  CHECK(masked_arguments({"--proxy", "http://u:p@host:1/x@y"}) == Words{"--proxy", "http://***@host:1/x@y"});
  CHECK(masked_arguments({"-H", "Authorization: Bearer abc"}) == Words{"-H", "Authorization: Bearer ***"});
  CHECK(masked_arguments({"run", "sk-0123456789abcdef"}) == Words{"run", "***"});
  CHECK(masked_arguments({"--cfg", R"({"a":{"api_key":"x"},"n":1})"}) ==
        Words{"--cfg", R"({"a":{"api_key":"***"},"n":1})"});
}
