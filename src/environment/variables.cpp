#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "environment/areas.hpp"
#include "environment/redaction.hpp"

namespace scoville::environment {
namespace {

/// Names that begin so change how accelerators, collectives, engines and maths libraries behave.
constexpr std::array<std::string_view, 53> kPrefixes{
    "ACL_",    "AMD_",      "ASCEND",   "ATB_",        "BKCL_",
    "BLAS_",   "CNCL_",     "CNNL_",    "CUBLAS_",     "CUDA",
    "CUDNN_",  "DNNL_",     "ENFLAME_", "FLASHINFER_", "FLASH_ATTENTION_",
    "GCCL_",   "GLOO_",     "GOMP_",    "GOTO_",       "HABANA_",
    "HCCL_",   "HF_",       "HIP_",     "HSA_",        "IX_",
    "IXCCL_",  "KMP_",      "LMCACHE_", "MACA_",       "MCCL_",
    "METAX_",  "MKL_",      "MLU_",     "MTHREADS_",   "MUSA_",
    "NCCL_",   "NEURON_",   "NPU_",     "NVIDIA_",     "OMP_",
    "ONEDNN_", "OPENBLAS_", "PT_HPU_",  "PYTORCH_",    "RCCL_",
    "ROCM_",   "ROCR_",     "SGLANG_",  "TORCH",       "TRITON_",
    "VLLM_",   "XPU",       "ZE_"};

constexpr std::array<std::string_view, 4> kNames{"LD_LIBRARY_PATH", "LD_PRELOAD", "MALLOC_ARENA_MAX",
                                                 "SYCL_DEVICE_FILTER"};

/// How many threads the host side may take: asked for by name, so that "not set" stands there too.
constexpr std::array<std::string_view, 8> kThreadSettings{"OMP_NUM_THREADS", "OMP_PROC_BIND",    "OMP_PLACES",
                                                          "OMP_WAIT_POLICY", "MKL_NUM_THREADS",  "OPENBLAS_NUM_THREADS",
                                                          "KMP_AFFINITY",    "GOMP_CPU_AFFINITY"};

bool is_of_interest(std::string_view name) {
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view each) { return name.starts_with(each); });
}

}  // namespace

void collect_variables(const Variables& variables, event::Fingerprint& print) {
  for (const auto& [name, value] : variables) {
    if (!is_of_interest(name) || is_secret_variable(name)) continue;
    print.add("env." + key_part(name), json::string(without_secrets(value)), name, !is_place_variable(name));
  }
  for (const std::string_view name : kThreadSettings) {
    if (!variables.count(std::string(name))) {
      print.miss("env." + key_part(name), event::FieldStatus::absent, std::string(name));
    }
  }
}

}  // namespace scoville::environment
