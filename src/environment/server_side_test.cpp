#include "environment/server_side.hpp"

#include <doctest/doctest.h>

#include <map>

#include "environment/server_answers.hpp"

using namespace scoville;
using namespace scoville::environment;
using event::FieldStatus;
using event::Fingerprint;

namespace {

/// A server made of its answers; every path that is not among them is 404.
struct PaperServer {
  std::map<std::string, wire::Response, std::less<>> answers;
  std::vector<std::string> asked;
  Error silence{ErrorCode::timed_out, "no answer"};
  bool is_silent = false;
  Instant time{};
  Nanos each_takes{};

  void says(std::string path, std::string body, int status = 200, std::string server = "") {
    wire::Response& answer = answers[std::move(path)];
    answer.head.status = status;
    answer.head.server = std::move(server);
    answer.body = std::move(body);
  }
  Result<wire::Response> answer(std::string_view path) {
    asked.emplace_back(path);
    time += each_takes;
    if (is_silent) return silence;
    const auto found = answers.find(path);
    if (found != answers.end()) return found->second;
    wire::Response none;
    none.head.status = 404;
    none.body = R"({"detail":"Not Found"})";
    return none;
  }
  Fingerprint observe(std::string model = "", std::string host = "127.0.0.1") {
    const Get get = [this](std::string_view path) { return answer(path); };
    const Post post = [this](std::string_view path, const std::string& body) {
      return answer(std::string(path) + " " + body);
    };
    ServerQuestion question;
    question.model = std::move(model);
    question.host = std::move(host);
    question.clock = [this] { return time; };
    return observe_server(get, post, question);
  }
  bool was_asked(std::string_view path) const { return std::find(asked.begin(), asked.end(), path) != asked.end(); }
};

constexpr const char* kInfo = "/server_info?config_format=json";

}  // namespace

TEST_CASE("vLLM: version, root, length from its paths; the cache configuration from its metrics") {
  PaperServer s;
  s.says("/v1/models",
         R"({"data":[{"id":"q","owned_by":"vllm","root":"Qwen/Qwen2.5-7B","parent":null,"max_model_len":32768}]})");
  s.says("/version", R"({"version":"0.11.0"})");
  s.says("/metrics",
         "vllm:cache_config_info{block_size=\"16\",cache_dtype=\"auto\",engine=\"0\",num_gpu_blocks=\"27856\","
         "num_gpu_blocks_override=\"None\",gpu_memory_utilization=\"0.9\"} 1.0\n");
  const Fingerprint f = s.observe();
  CHECK(f.text("engine.name") == "vllm");
  CHECK(f.find("engine.name")->source == "/v1/models");
  CHECK(f.text("engine.version") == "0.11.0");
  CHECK(f.find("engine.version")->source == "/version");
  CHECK(f.text("model.id") == "q");
  CHECK(f.text("model.root") == "Qwen/Qwen2.5-7B");
  CHECK(f.find("model.root")->is_comparable);
  CHECK(f.text("model.context_length") == "32768");
  CHECK(f.text("engine.flags.gpu_memory_utilization") == "0.9");
  CHECK(f.find("engine.flags.num_gpu_blocks_override") == nullptr);
  CHECK(f.text("model.kv_cache_tokens") == "445696");  // 27856 blocks of 16 tokens
  CHECK_FALSE(f.find("model.kv_cache_tokens")->is_comparable);
  CHECK(f.text("service.hosted") == "false");
  CHECK(f.find("model.dtype")->status == FieldStatus::absent);  // /server_info is there in its developers' mode alone
  CHECK(f.find("model.dtype")->source == "/server_info");
  CHECK_FALSE(s.was_asked("/props"));
}

TEST_CASE("vLLM's server_info as JSON and as text gives the same settings, and no secret") {
  PaperServer json_form, text_form;
  for (PaperServer* each : {&json_form, &text_form})
    each->says("/v1/models", R"({"data":[{"id":"q","owned_by":"vllm"}]})");
  json_form.says(kInfo, R"({"vllm_config":{"model_config":{"model":"/m","dtype":"torch.bfloat16","quantization":"fp8",
      "max_model_len":4096,"hf_token":"hf_x","hf_config":{"a":1}},"parallel_config":{"tensor_parallel_size":2}},
      "vllm_env":{"VLLM_API_KEY":"x"},"system_env":{"torch_version":"2.8.0","nvidia_driver_version":"570.1"}})");
  text_form.says(kInfo, R"({"vllm_config":"model='/m', dtype=torch.bfloat16, quantization=fp8, max_model_len=4096, )"
                        R"(tensor_parallel_size=2, hf_token='hf_x', x=F(a=1, b='c, d'), spec=None"})");
  for (PaperServer* each : {&json_form, &text_form}) {
    const Fingerprint f = each->observe();
    CHECK(f.text("model.dtype") == "bfloat16");
    CHECK(f.text("model.quantisation") == "fp8");
    CHECK(f.text("model.path") == "/m");
    CHECK_FALSE(f.find("model.path")->is_comparable);
    CHECK(f.find("model.context_length")->value == json::value(4096));
    CHECK(f.find("engine.flags.tensor_parallel_size")->value == json::value(2));
    CHECK(f.find("engine.flags.hf_token") == nullptr);
    CHECK(compact(f.to_json()).find("hf_x") == std::string::npos);
  }
  CHECK(json_form.observe().text("engine.runtime.driver") == "570.1");
  CHECK(text_form.observe().text("engine.flags.x") == "F(a=1, b='c, d')");
  CHECK(text_form.observe().find("engine.flags.spec") == nullptr);
}

TEST_CASE("SGLang: new paths, and the old ones where the new are missing") {
  constexpr const char* kServer =
      R"({"model_path":"Qwen/Q","tokenizer_path":"Qwen/Q","dtype":"auto","quantization":null,"tp_size":4,"api_key":"k",
          "mem_fraction_static":0.88,"chunked_prefill_size":8192,"random_seed":7,"version":"0.5.2",
          "max_total_num_tokens":900000,"internal_states":[{"last_gen_throughput":1.5}],"port":30000})";
  for (const char* path : {kInfo, "/get_server_info"}) {
    PaperServer s;
    s.says("/v1/models", R"({"data":[{"id":"q","owned_by":"sglang","root":"q","max_model_len":8}]})");
    s.says(path, kServer);
    const Fingerprint f = s.observe();
    CHECK(f.text("engine.name") == "sglang");
    CHECK(f.text("engine.version") == "0.5.2");
    CHECK(f.text("engine.flags.tp_size") == "4");
    CHECK(f.text("model.path") == "Qwen/Q");
    CHECK(f.text("model.kv_cache_tokens") == "900000");
    CHECK_FALSE(f.find("engine.flags.random_seed")->is_comparable);
    CHECK(f.find("engine.flags.api_key") == nullptr);
    CHECK(f.find("engine.flags.internal_states") == nullptr);
    CHECK(f.find("model.dtype")->status == FieldStatus::absent);  // "auto" says nothing
    CHECK(s.was_asked("/get_server_info") == (std::string(path) == "/get_server_info"));
  }
}

TEST_CASE("llama.cpp is known by its properties and its header even where /v1/models names nobody") {
  PaperServer s;
  s.says("/v1/models", R"({"data":[{"id":"m","meta":{"n_params":134515008,"n_ctx_train":8192,"size":96576768}}]})");
  s.says("/props", R"({"build_info":"b4567-89abcdef","total_slots":4,"model_path":"/x/m.gguf","chat_template":"abc",
      "default_generation_settings":{"n_ctx":2048}})");
  const Fingerprint f = s.observe();
  CHECK(f.text("engine.name") == "llama.cpp");
  CHECK(f.find("engine.name")->source == "/props");
  CHECK(f.text("engine.version") == "b4567");
  CHECK(f.text("engine.build") == "b4567-89abcdef");
  CHECK(f.text("model.parameters") == "134515008");
  CHECK(f.text("model.context_length") == "2048");
  CHECK(f.text("model.context_trained") == "8192");
  // sha256sum of the three bytes "abc": FIPS 180-2, appendix B.1
  CHECK(f.text("model.chat_template_sha256") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

  PaperServer header;
  header.says("/v1/models", R"({"data":[{"id":"m"}]})", 200, "llama.cpp");
  CHECK(header.observe().find("engine.name")->source == "header server");
  CHECK_FALSE(header.was_asked("/info"));
}

TEST_CASE("TGI, MindIE and Ollama tell by /info and /api") {
  PaperServer tgi;
  tgi.says("/info", R"({"model_id":"org/m","model_sha":"abc1","model_dtype":"torch.float16","max_total_tokens":4096,
      "max_batch_prefill_tokens":8192,"version":"3.3.0","sha":"fff","docker_label":"sha-fff"})");
  Fingerprint f = tgi.observe();
  CHECK(f.text("engine.name") == "tgi");
  CHECK(f.text("engine.version") == "3.3.0");
  CHECK(f.text("engine.build") == "sha-fff");
  CHECK(f.text("model.revision") == "abc1");
  CHECK(f.text("model.dtype") == "float16");
  CHECK(f.text("engine.flags.max_batch_prefill_tokens") == "8192");

  PaperServer mindie;
  mindie.says("/info", R"({"version":"1.0.0","sha":null,"max_input_length":2048,"models":[{"model_device_type":"npu",
      "model_dtype":"float16","model_id":"deepseek","model_sha":null,"max_total_tokens":2560}]})");
  f = mindie.observe();
  CHECK(f.text("engine.name") == "mindie");
  CHECK(f.text("model.id") == "deepseek");
  CHECK(f.text("model.context_length") == "2560");

  PaperServer ollama;
  ollama.says("/v1/models", R"({"data":[{"id":"q:0.5b","owned_by":"library"}]})");
  ollama.says("/api/version", R"({"version":"0.12.3"})");
  ollama.says("/api/tags",
              R"({"models":[{"name":"q:0.5b","digest":"d1","size":397,"details":{"quantization_level":"Q4_K_M"}}]})");
  ollama.says(R"(/api/show {"model":"q:0.5b"})", R"({"details":{},"template":"t","model_info":
      {"general.architecture":"qwen2","general.parameter_count":494032768,"qwen2.context_length":32768}})");
  f = ollama.observe();
  CHECK(f.text("engine.name") == "ollama");
  CHECK(f.text("engine.version") == "0.12.3");
  CHECK(f.text("model.revision") == "d1");
  CHECK(f.text("model.quantisation") == "Q4_K_M");
  CHECK(f.text("model.parameters") == "494032768");
  CHECK(f.find("model.parameters")->source == "/api/show");
  CHECK(f.text("model.context_trained") == "32768");
}

TEST_CASE("TensorRT-LLM's /metrics is JSON; an engine behind a nameless front is known by its metrics") {
  PaperServer trt;
  trt.says("/version", R"({"version":"1.1.0"})");
  trt.says("/metrics", R"([{"iter":1,"kvCacheStats":{"maxNumBlocks":100,"tokensPerBlock":32}}])");
  Fingerprint f = trt.observe();
  CHECK(f.text("engine.name") == "tensorrt-llm");
  CHECK(f.text("engine.version") == "1.1.0");
  CHECK(f.text("model.kv_cache_tokens") == "3200");

  PaperServer sglang;
  sglang.says("/metrics", "sglang:num_running_reqs{model_name=\"q\"} 0.0\n");
  CHECK(sglang.observe().text("engine.name") == "sglang");
  PaperServer tgi;
  tgi.says("/metrics", "tgi_queue_size 0\n");
  CHECK(tgi.observe().text("engine.name") == "tgi");
}

TEST_CASE("what is not known says why: no such path, refused, no answer") {
  PaperServer nothing;
  Fingerprint f = nothing.observe();
  CHECK(f.find("engine.name")->status == FieldStatus::absent);
  CHECK(f.find("engine.version")->status == FieldStatus::absent);

  PaperServer guarded;
  guarded.says("/v1/models", "{}", 401);
  f = guarded.observe();
  CHECK(f.find("model.id")->status == FieldStatus::denied);

  PaperServer silent;
  silent.is_silent = true;
  silent.each_takes = std::chrono::seconds(2);
  f = silent.observe();
  CHECK(f.find("engine.name")->status == FieldStatus::error);
  CHECK(silent.asked.size() == 3);  // 3 time-outs of 2 s fill the 6 s

  PaperServer broken;
  broken.says("/v1/models", "<html>");
  broken.says("/version", R"({"version":1e999})");
  f = broken.observe();
  CHECK(f.find("model.id")->status == FieldStatus::error);
  CHECK(f.find("engine.version")->status == FieldStatus::absent);
}

TEST_CASE("numbers that JSON cannot hold again are left out") {
  PaperServer s;
  s.says("/v1/models", R"({"data":[{"id":"q","owned_by":"vllm","max_model_len":1e999}]})");
  s.says(kInfo, R"({"vllm_config":{"a":{"x":1e999,"y":1}},"z":[1e999]})");
  const Fingerprint f = s.observe();
  CHECK(f.text("engine.flags.y") == "1");
  CHECK_FALSE(compact(f.to_json()).empty());
}

TEST_CASE("of several models the one measured is described; one that is not listed gets nobody else's length") {
  PaperServer s;
  s.says("/v1/models", R"({"data":[{"id":"a","owned_by":"vllm","max_model_len":1},
                                   {"id":"b","owned_by":"vllm","max_model_len":2,"parent":"a"}]})");
  CHECK(s.observe("b").text("model.context_length") == "2");
  CHECK(s.observe("b").text("model.parent") == "a");
  CHECK(s.observe().text("model.id") == "a");
  CHECK(s.observe("c").text("model.context_length").empty());
}

TEST_CASE("a hosted API is asked for its models alone, and is called a service") {
  PaperServer s;
  s.says("/v1/models", R"({"data":[{"id":"deepseek-chat","owned_by":"deepseek"}]})");
  const Fingerprint f = s.observe("", "api.deepseek.com");
  CHECK(f.text("service.hosted") == "true");
  CHECK(f.text("service.vendor") == "deepseek");
  CHECK(f.text("model.id") == "deepseek-chat");
  CHECK(s.asked == std::vector<std::string>{"/v1/models"});
}
