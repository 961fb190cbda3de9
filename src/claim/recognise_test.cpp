#include "claim/recognise.hpp"

#include <doctest/doctest.h>

namespace scoville::claim {

TEST_CASE("a ratio is recognised in the ways people write it") {
  CHECK(recognise("X is 2.1x faster").ratio->low == 2.1);
  CHECK(recognise("30× the inference of H100").ratio->low == 30);
  CHECK(recognise("性能是 H100 的 2.5 倍").ratio->low == 2.5);
  CHECK(recognise("40% higher throughput").ratio->low == doctest::Approx(1.4));
  const auto range = recognise("30-40 % better price performance").ratio;
  CHECK(range->low == doctest::Approx(1.3));
  CHECK(range->high == doctest::Approx(1.4));
  CHECK(recognise("最高提升 1.6 倍").is_up_to);
  CHECK(recognise("up to 1.6x").is_up_to);
  CHECK_FALSE(recognise("1.6x").is_up_to);
}

TEST_CASE("what could be read twice, or the other way, is not recognised") {
  CHECK_FALSE(recognise("2x at batch 1 and 14x at 2.5 s").ratio.has_value());
  CHECK_FALSE(recognise("uses 30% less power").ratio.has_value());
  CHECK_FALSE(recognise("8x7B experts").ratio.has_value());
  CHECK(recognise("FP8 against FP16").weights.empty());
  CHECK(recognise("1,800 tokens/s for 8B and 450 tokens/s for 70B").unit.empty());
  CHECK(recognise("Llama-3.1-8B and Qwen3-8B").model.empty());
  CHECK(recognise("better performance").metric.empty());
}

TEST_CASE("rates, precisions, metrics and models") {
  const Recognised found = recognise("1,800 tokens per second for Llama3.1-8B in FP8, per watt");
  CHECK(found.value == 1800);
  CHECK(found.unit == "tokens/s");
  CHECK(found.weights == "fp8");
  CHECK(found.metric == "perf_per_watt");
  CHECK(found.model == "Llama3.1-8B");
  CHECK(recognise("better price-performance").metric == "price_performance");
  CHECK(recognise("DeepSeek-R1 in BF16, bf16").weights == "bf16");
  CHECK(recognise("on DeepSeek-R1").model == "DeepSeek-R1");
}

}  // namespace scoville::claim
