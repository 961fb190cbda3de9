#include "environment/redaction.hpp"

#include <doctest/doctest.h>

#include "environment/areas.hpp"

namespace scoville::environment {

TEST_CASE("a name that may stand before a secret is known in any case") {
  for (const char* name :
       {"HF_TOKEN", "OPENAI_API_KEY", "aws_secret_x", "VLLM_ACCESS", "DB_PASSWORD", "GoogleCredentials", "MY_key"}) {
    CAPTURE(name);
    CHECK(is_secret_variable(name));
  }
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "NCCL_DEBUG", "HF_HOME", "LD_LIBRARY_PATH"})
    CHECK_FALSE(is_secret_variable(name));
}

TEST_CASE("only variables of interest are kept, without secrets in name or value") {
  event::Fingerprint print;
  collect_variables({{"NCCL_DEBUG", "INFO"},
                     {"HOME", "/root"},
                     {"HF_TOKEN", "hf_abcdefghijklmnop"},
                     {"VLLM_API_KEY", "sk-1"},
                     {"HF_ENDPOINT", "https://user:pw@mirror.example/x"},
                     {"TORCH_EXTRA", "use hf_abcdefghijklmnop now"},
                     {"ASCEND_RT_VISIBLE_DEVICES", "0,1"},
                     {"LD_LIBRARY_PATH", "/opt/lib"},
                     {"OMP_NUM_THREADS", "4"}},
                    print);
  CHECK(print.text("env.nccl_debug") == "INFO");
  CHECK(print.text("env.ascend_rt_visible_devices") == "0,1");
  CHECK(print.text("env.hf_endpoint") == "https://***@mirror.example/x");
  CHECK(print.text("env.torch_extra") == "use *** now");
  CHECK(print.text("env.omp_num_threads") == "4");
  CHECK(print.find("env.home") == nullptr);
  CHECK(print.find("env.hf_token") == nullptr);
  CHECK(print.find("env.vllm_api_key") == nullptr);
  CHECK_FALSE(print.find("env.ld_library_path")->is_comparable);
  CHECK(print.find("env.mkl_num_threads")->status == event::FieldStatus::absent);
}

TEST_CASE("redacted: identities are gone, free text is masked, versions that look like addresses stay") {
  event::Fingerprint print;
  print.add("os.hostname", "node17", "", false);
  print.add("device.nvidia.0.uuid", "GPU-1", "", false);
  print.add("device.nvidia.0.name", "NVIDIA H200", "");
  print.add("network.eth0.mac", "02:00:00:00:00:01", "", false);
  print.add("container.id", "abc", "", false);
  print.add("os.id", "debian", "");
  print.add("device.tool.efsmi.raw", "SN 1", "", false);
  print.add("driver.metax", "1.33.5.0", "");
  print.add("env.nccl_socket", "10.1.2.3 on node17, fe80::1, GPU-11111111-2222-3333-4444-555555555555", "");
  print.add("topology.nvidia", "\tGPU0\nGPU0\t X", "");
  print.miss("tool.cnmon", event::FieldStatus::error, "cnmon: exit status 1: no card on node17");
  const event::Fingerprint out = redacted(print);
  CHECK(out.find("tool.cnmon")->source == "cnmon: exit status 1: no card on (redacted)");
  for (const char* key :
       {"os.hostname", "device.nvidia.0.uuid", "network.eth0.mac", "container.id", "device.tool.efsmi.raw"}) {
    CAPTURE(key);
    CHECK(out.find(key) == nullptr);
  }
  CHECK(out.text("os.id") == "debian");
  CHECK(out.text("device.nvidia.0.name") == "NVIDIA H200");
  CHECK(out.text("driver.metax") == "1.33.5.0");
  CHECK(out.text("env.nccl_socket") == "(redacted) on (redacted), (redacted), GPU-(redacted)");
  CHECK(out.text("topology.nvidia") == "\tGPU0\nGPU0\t X");
}

}  // namespace scoville::environment
