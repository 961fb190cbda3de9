#include "portability/where.hpp"

#include <doctest/doctest.h>

namespace scoville::portability {
namespace {

bool is_used(std::string_view line, std::string_view what) {
  const std::size_t at = line.find(what);
  REQUIRE(at != line.npos);
  return is_used_in_yaml(line, {at, at + what.size()});
}

}  // namespace

TEST_CASE("in YAML what is set, run or a whole value is used; lists of names and sentences are not") {
  CHECK(is_used("  NCCL_DEBUG: INFO", "NCCL_DEBUG"));
  CHECK(is_used("  - name: CUDA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"));
  CHECK(is_used("  - CUDA_VISIBLE_DEVICES=0", "CUDA_VISIBLE_DEVICES"));
  CHECK(is_used("  image: \"nvidia/cuda:12.4.1\"", "nvidia/cuda:12.4.1"));
  CHECK(is_used("      nvidia-smi --query-gpu=name", "nvidia-smi"));
  CHECK(is_used("    - run: nvidia-smi -L", "nvidia-smi"));
  CHECK_FALSE(is_used("  words: [nvidia-smi, dcgmi]", "nvidia-smi"));
  CHECK_FALSE(is_used("  note: without nvidia-smi nothing is read", "nvidia-smi"));
}

}  // namespace scoville::portability
