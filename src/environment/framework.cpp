#include <fmt/format.h>

#include "environment/areas.hpp"

namespace scoville::environment {
namespace {

/// Asks for what is installed without importing any of it: importing torch alone takes seconds.
constexpr const char* kScript = R"python(
import importlib.util, json, platform, re, sys
from importlib import metadata
names = sys.argv[1:]
out = {"python": platform.python_version(), "packages": {}, "torch": {}}
for name in names:
    try:
        out["packages"][name] = metadata.version(name)
    except Exception:
        pass
try:
    spec = importlib.util.find_spec("torch")
    text = open(spec.submodule_search_locations[0] + "/version.py").read()
    for key in ("cuda", "hip", "xpu", "git_version", "debug"):
        found = re.search(r"^%s(?:\s*:[^=]*)?\s*=\s*(.+)$" % key, text, re.M)
        if found and found[1].strip() not in ("None", "False"):
            out["torch"][key] = found[1].strip().strip("'\"")
except Exception:
    pass
print(json.dumps(out, sort_keys=True))
)python";

/// Distribution names: frameworks, vendors' plug-ins for them, engines, and the libraries that decide their kernels.
constexpr const char* kPackages[]{"torch",
                                  "torch-npu",
                                  "torch-mlu",
                                  "torch-musa",
                                  "torch-xla",
                                  "torch-gcu",
                                  "torch-supa",
                                  "torch-neuronx",
                                  "torch-tpu",
                                  "habana-torch-plugin",
                                  "intel-extension-for-pytorch",
                                  "torchvision",
                                  "torchaudio",
                                  "tensorflow",
                                  "jax",
                                  "jaxlib",
                                  "paddlepaddle",
                                  "paddlepaddle-gpu",
                                  "mindspore",
                                  "onnxruntime",
                                  "onnxruntime-gpu",
                                  "triton",
                                  "triton-ascend",
                                  "pytorch-triton-rocm",
                                  "flagtree",
                                  "vllm",
                                  "vllm-ascend",
                                  "vllm-mlu",
                                  "vllm-metax",
                                  "vllm-musa",
                                  "sglang",
                                  "sgl-kernel",
                                  "lmdeploy",
                                  "tensorrt",
                                  "tensorrt-llm",
                                  "text-generation",
                                  "mindie",
                                  "transformers",
                                  "tokenizers",
                                  "safetensors",
                                  "accelerate",
                                  "deepspeed",
                                  "flash-attn",
                                  "flashinfer-python",
                                  "xformers",
                                  "bitsandbytes",
                                  "numpy",
                                  "nvidia-cudnn-cu12",
                                  "nvidia-cudnn-cu13",
                                  "nvidia-nccl-cu12",
                                  "nvidia-nccl-cu13",
                                  "nvidia-cublas-cu12",
                                  "neuronx-cc",
                                  "openvino",
                                  "optimum",
                                  "peft",
                                  "ray"};

}  // namespace

std::vector<Inquiry> framework_inquiries() {
  std::vector<std::string> words{"python3", "-c", kScript};
  words.insert(words.end(), std::begin(kPackages), std::end(kPackages));
  return {{"python3", std::move(words)}};
}

void collect_frameworks(const Answers& answers, Nanos timeout, event::Fingerprint& print) {
  const auto found = answers.find("python3");
  if (found == answers.end()) return;
  Answer answer = found->second;
  answer.command = "python3 (importlib.metadata)";
  const CommandResult& result = answer.result;
  boost::system::error_code failed;
  const json::value told = result.ok() ? json::parse(result.output, failed) : json::value();
  const json::object* const root = failed ? nullptr : told.if_object();
  const json::value* const packages = root ? root->if_contains("packages") : nullptr;
  if (!packages || !packages->is_object() || !root->contains("python")) {
    const bool is_absent = result.end == CommandResult::End::not_found;
    return print.miss("framework.python", is_absent ? event::FieldStatus::absent : event::FieldStatus::error,
                      complaint(answer, timeout));
  }
  print.add("framework.python", root->at("python"), answer.command);
  for (const auto& [name, version] : packages->as_object()) {
    print.add("framework." + key_part(name), version, answer.command);
  }
  if (!packages->as_object().contains("torch")) {
    print.miss("framework.torch", event::FieldStatus::absent, answer.command);
  }
  const json::value* const torch = root->if_contains("torch");
  if (!torch || !torch->is_object()) return;
  for (const auto& [key, value] : torch->as_object()) {
    print.add(fmt::format("framework.torch.{}", std::string_view(key)), value, "torch/version.py");
  }
}

}  // namespace scoville::environment
