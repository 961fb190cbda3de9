#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/version.hpp"
#include "decide/arm.hpp"

namespace scoville::decide {

// For tests: arms made from one number a run.

inline Setup made_setup() {
  Setup setup;
  setup.load.max_concurrency = 16;
  setup.load.num_prompts = 200;
  setup.shape.model = "m";
  setup.shape.max_tokens = 128;
  setup.url = "http://127.0.0.1:8000/v1/chat/completions";
  setup.peer = "127.0.0.1:8000";
  setup.client = "client";
  setup.version = "1.0.0";
  setup.dataset_hash = 7;
  const auto add = [&](const char* key, json::value value) { setup.system.add(key, std::move(value), "test"); };
  add("model.sha256", "aa11");
  add("model.tokenizer_sha256", "bb22");
  add("model.dtype", "bfloat16");
  add("engine.name", "vllm");
  add("engine.version", "0.9.1");
  add("engine.flags.tensor_parallel_size", 1);
  add("engine.flags.max_num_seqs", 64);
  add("engine.flags.speculative_config", "none");
  add("engine.flags.enable_prefix_caching", true);
  add("device.nvidia.count", 1);
  add("device.nvidia.0.name", "NVIDIA H20");
  add("device.nvidia.0.power_limit_w", 500);
  add("driver.nvidia", "550.54");
  add("runtime.cuda", "12.4");
  add("framework.torch", "2.6.0");
  add("os.kernel", "5.15");
  add("cpu.model", "a processor");
  add("topology.nvidia", "GPU0 X");
  add("network.eth0.driver", "mlx5_core");
  add("container.kind", "docker");
  add("env.OMP_NUM_THREADS", "8");
  return setup;
}

inline ArmRun made_run(std::size_t number) {
  ArmRun run;
  run.id = "r" + std::to_string(number);
  run.started = std::chrono::minutes(number);
  analyse::RunStatistics& all = run.statistics;
  all.method_version = kMethodVersion;
  all.attempted = all.succeeded = 200;
  all.length = std::chrono::seconds(60);
  all.mean_prompt_tokens = 512;
  all.mean_output_tokens = 128;
  all.cached_share = 0;
  all.usage = {{0, 510, 128}, {1, 514, 128}};
  return run;
}

/// Output tokens per second of each run: higher is better.
inline Arm arm_of_rates(std::string name, const std::vector<double>& rates) {
  Arm arm{std::move(name), made_setup(), {}, true, 0};
  for (std::size_t i = 0; i < rates.size(); ++i) {
    arm.runs.push_back(made_run(i));
    arm.runs.back().statistics.output_tokens_per_s = rates[i];
  }
  return arm;
}

/// TPOT of each run, in ms: lower is better.
inline Arm arm_of_tpots(std::string name, const std::vector<double>& millis) {
  Arm arm{std::move(name), made_setup(), {}, true, 0};
  for (std::size_t i = 0; i < millis.size(); ++i) {
    arm.runs.push_back(made_run(i));
    arm.runs.back().statistics.latencies[static_cast<std::size_t>(analyse::Latency::tpot)].p50.value = millis[i] * 1e6;
  }
  return arm;
}

}  // namespace scoville::decide
