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

namespace {

double ratio_of(const char* sentence) {
  const auto ratio = recognise(sentence).ratio;
  return ratio && ratio->low == ratio->high ? ratio->low : 0;
}

}  // namespace

TEST_CASE("the number of a device is no ratio, the share beside it is") {
  CHECK(ratio_of("MI300X has 40% lower latency than H100") == doctest::Approx(1 / 0.6));
  CHECK(ratio_of("MI325X beats H200 by 30 percent") == doctest::Approx(1.3));
  CHECK(ratio_of("MI325X beats H200 by 30 per cent") == doctest::Approx(1.3));
  for (const char* each : {"MI300X", "MI300X and MI325X", "4096x4096", "8x H100 in a node", "2 x 80 GB", "GPT-4 x 2y"})
    CHECK_FALSE(recognise(each).ratio.has_value());
  CHECK(ratio_of("8x H100 has 2x the throughput of 8x A100") == 2);
}

TEST_CASE("less of what should be little is a ratio, more of it is none") {
  CHECK(ratio_of("A 快 30%") == doctest::Approx(1.3));
  CHECK(ratio_of("A 的延迟比 B 降低一半") == 2);
  CHECK(ratio_of("A 的成本低一半") == 2);
  CHECK(ratio_of("A 的延迟低 20%") == doctest::Approx(1.25));
  CHECK(ratio_of("A halves the cost") == 2);
  CHECK(ratio_of("cuts latency by 50%") == 2);
  CHECK(ratio_of("2x lower latency") == 2);
  for (const char* each : {"40% higher latency", "A 慢 30%", "1.5x slower", "2x the cost", "throughput is 40% lower",
                           "40% better latency", "内存降低一半", "A 的延迟高 30%", "30% more power"})
    CHECK_FALSE(recognise(each).ratio.has_value());
}

TEST_CASE("the metric is what the ratio is of, not the condition it holds at") {
  const Recognised found = recognise("1.8x the decode throughput at 50 ms TPOT");
  CHECK(found.metric == "throughput");
  CHECK(found.ratio->low == 1.8);
  CHECK(recognise("with a response time of 2.5 seconds 14 times the throughput").metric == "throughput");
  CHECK(recognise("1.8x the throughput and the same TTFT").metric == "throughput");
  CHECK(recognise("2x faster at 50 ms TPOT").metric.empty());
  CHECK(recognise("MI300X has 40% lower latency than H100").metric == "latency");
}

TEST_CASE("of exactly two devices the one before the word that compares is the subject") {
  const auto named = [](const char* sentence) {
    const Recognised found = recognise(sentence);
    return found.subject + "|" + found.comparator;
  };
  CHECK(named("MI300X has 40% lower latency than H100") == "MI300X|H100");
  CHECK(named("8xMI325X beats eight H200s by 30 percent") == "MI325X|H200");
  CHECK(named("GB200 vs. H100") == "GB200|H100");
  CHECK(named("910C 比英伟达 H20 快 30%") == "910C|H20");
  CHECK(named("MI355X 的性价比是 B200 的 2 倍") == "|");  // 性价比 compares nothing
  CHECK(named("Compared to H100, MI300X is 2x faster") == "|");
  CHECK(named("B200 is faster than H100 and H200") == "|");
  CHECK(named("H100 is faster than X") == "|");
}

}  // namespace scoville::claim
