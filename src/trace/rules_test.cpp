#include "trace/rules.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>

#include "base/file.hpp"

namespace scoville::trace {
namespace {

std::string said(const std::string& kernel) {
  const KernelOrigin found = Rules::built_in().origin_of(kernel);
  return std::string(kOriginNames[static_cast<std::size_t>(found.origin)]) + " " + found.library;
}

TEST_CASE("kernels of each origin are told by their names") {
  CHECK(said("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn") == "vendor cuBLAS");
  CHECK(said("nvjet_tst_128x256_64x4_1x2_h_bz_coopB_TNT") == "vendor cuBLAS");
  CHECK(said("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm>(Params)") == "vendor CUTLASS");
  CHECK(said("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64") == "vendor cuBLAS");
  CHECK(said("Cijk_Alik_Bljk_BBS_BH_MT128x128x32_MI32x32x8x1") == "vendor rocBLAS");
  CHECK(said("void at::native::vectorized_elementwise_kernel<4, at::native::add>(int)") == "framework PyTorch");
  CHECK(said("triton_poi_fused_add_mul_0") == "triton TorchInductor");
  CHECK(said("_rms_norm_kernel_0d1d2d3de") == "triton Triton");
  CHECK(said("void flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128>>") == "custom FlashAttention");
  CHECK(said("void vllm::rms_norm_kernel<c10::BFloat16>(c10::BFloat16*)") == "custom vLLM");
  CHECK(said("aclnnMatmul_MatMulCommon_MatMulV2") == "vendor CANN");
  CHECK(said("MatMulV2") == "vendor CANN");
  CHECK(said("gemm_kernel") == "vendor oneDNN");
  CHECK(said("my_own_kernel") == "unknown ");
}

TEST_CASE("communication and copies to the host are told by their names") {
  const Rules& rules = Rules::built_in();
  for (const char* name :
       {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclKernel_AllGather_RING_LL", "hcom_allReduce__123_0",
        "void vllm::cross_device_reduce_1stage<half, 8>", "cncclAllReduceKernel"}) {
    CHECK_MESSAGE(rules.is_communication(name), name);
  }
  CHECK_FALSE(rules.is_communication("at::native::reduce_kernel<512, 1>"));
  for (const char* name : {"Memcpy DtoH (Device -> Pinned)", "CopyDeviceToHost", "Memcpy D2H"})
    CHECK(rules.is_to_host(name));
  CHECK_FALSE(rules.is_to_host("Memcpy HtoD (Pinned -> Device)"));
  CHECK(rules.ascend_task("AI_VECTOR_CORE") == AscendTask::kernel);
  CHECK(rules.ascend_task("MIX_AIC") == AscendTask::kernel);
  CHECK(rules.ascend_task("AI_CPU") == AscendTask::device_cpu);
  CHECK(rules.ascend_task("EVENT_WAIT") == AscendTask::no_work);
  CHECK(rules.ascend_task("SDMA_SQE") == AscendTask::copy);
}

TEST_CASE("a file of the user's goes first, and its faults are told with their place") {
  const std::string path = "trace_rules_test." + std::to_string(getpid()) + ".yaml";
  REQUIRE(write_file(path, "origins:\n  - {origin: custom, library: ours, match: ['^ampere_']}\n").ok());
  const Result<Rules> rules = Rules::with(path);
  REQUIRE(rules.ok());
  CHECK(rules->origin_of("ampere_x").library == "ours");
  CHECK(rules->origin_of("Cijk_x").library == "rocBLAS");
  REQUIRE(write_file(path, "origins:\n  - {origin: custom, match: ['(']}\n").ok());
  CHECK(Rules::with(path).error().message.find(":2") != std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace scoville::trace
