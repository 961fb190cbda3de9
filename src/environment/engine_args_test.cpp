#include "environment/engine_args.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using namespace scoville::environment;

TEST_CASE("an engine argument is a name and a value, written as engines write them") {
  const auto read = parse_engine_arg("--Tensor-Parallel-Size=2");
  REQUIRE(read.ok());
  CHECK(read->first == "tensor_parallel_size");
  CHECK(read->second == "2");
  CHECK(parse_engine_arg("a=b=c")->second == "b=c");
  CHECK(parse_engine_arg("a=")->second.empty());
  CHECK_FALSE(parse_engine_arg("tp").ok());
  CHECK_FALSE(parse_engine_arg("=2").ok());
}

TEST_CASE("values keep the type that a server's JSON would give them, secrets are dropped") {
  const event::Fingerprint f = engine_arg_fields({{"tp", "2"},
                                                  {"gpu_memory_utilization", "0.9"},
                                                  {"eager", "True"},
                                                  {"dtype", "bfloat16"},
                                                  {"api_key", "x"},
                                                  {"port", "80"},
                                                  {"odd", "1e999"}});
  CHECK(f.find("engine.flags.tp")->value == json::value(2));
  CHECK(f.find("engine.flags.tp")->source == "--engine-arg");
  CHECK(f.find("engine.flags.gpu_memory_utilization")->value == json::value(0.9));
  CHECK(f.find("engine.flags.eager")->value == json::value(true));
  CHECK(f.text("engine.flags.dtype") == "bfloat16");
  CHECK(f.text("engine.flags.api_key") == "***");
  CHECK_FALSE(f.find("engine.flags.port")->is_comparable);
  CHECK(f.text("engine.flags.odd") == "1e999");
}

TEST_CASE("the flags of a command line: a value, several, none, and an end") {
  const event::Fingerprint f =
      command_line_flags({"vllm", "serve", "m", "--dtype", "auto", "--enforce-eager", "--served-model-name", "a", "b",
                          "--max-num-seqs=8", "--x", "-1", "--api-key", "***", "--", "--no", "1"},
                         "s");
  CHECK(f.text("engine.flags.dtype") == "auto");
  CHECK(f.text("engine.flags.enforce_eager") == "true");
  CHECK(f.text("engine.flags.served_model_name") == "a b");
  CHECK(f.text("engine.flags.max_num_seqs") == "8");
  CHECK(f.text("engine.flags.x") == "-1");
  CHECK(f.find("engine.flags.api_key") == nullptr);
  CHECK(f.find("engine.flags.no") == nullptr);
  CHECK(f.fields().size() == 5);
}

TEST_CASE("what an engine was started with is told by its short flags too, and by its environment, without secrets") {
  const auto fields = environment::launch_fields(
      {"llama-server", "-m", "model.gguf", "-c", "4096", "--temp", "-1", "--api-key", "s3cret", "--port", "{port}",
       "-np=2"},
      {{"GGML_X", "1"}, {"HF_TOKEN", "hf_abcdefghijklmnop"}, {"PROXY", "http://u:p@h"}, {"LD_LIBRARY_PATH", "/x"}});
  CHECK_FALSE(fields.find("engine.env.ld_library_path")->is_comparable);
  CHECK(fields.find("engine.env.ggml_x")->is_comparable);
  CHECK(fields.text("engine.flags.c") == "4096");
  CHECK(fields.text("engine.flags.np") == "2");
  CHECK(fields.text("engine.flags.temp") == "-1");
  CHECK_FALSE(fields.find("engine.flags.m")->is_comparable);
  CHECK(fields.find("engine.flags.c")->is_comparable);
  CHECK(fields.text("engine.env.ggml_x") == "1");
  CHECK(fields.text("engine.env.hf_token") == "***");
  CHECK(fields.text("engine.env.proxy") == "http://***@h");
  CHECK(compact(fields.to_json()).find("s3cret") == std::string::npos);
}
