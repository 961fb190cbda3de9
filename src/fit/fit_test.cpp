#include "fit/fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "fit/made_shape.hpp"

using namespace scoville::fit;

namespace {

const Device& h100() { return *built_in_devices().find("h100-sxm"); }

Ask ask(double context, double concurrency = 1) {
  Ask out;
  out.context = context;
  out.concurrency = concurrency;
  return out;
}

/// Llama-3.1-70B: 70 553 706 496 weights.
ModelShape llama_70b() {
  ModelShape out = llama_8b();
  out.layers = 80;
  out.hidden = 8192;
  out.heads = 64;
  out.inner_size = 28672;
  out.parameters = 70553706496.0;
  out.weight_bytes = 141107412992.0;
  return out;
}

}  // namespace

TEST_CASE("Llama-3.1-8B on one H100: 50 sequences of 8192, as long as it was trained for") {
  const Answer answer = work_out(llama_8b(), h100(), ask(8192, 16));
  CHECK(answer.fits == Fits::yes);
  CHECK(answer.devices == 1);
  CHECK(answer.smallest_devices == 1);
  CHECK(*answer.usable_bytes == doctest::Approx(70e9));         // 80·0.9 − 2
  CHECK(*answer.room_bytes == doctest::Approx(53939477504.0));  // less the weights
  CHECK(answer.largest_concurrency == 50);                      // 53939477504 / (131072·8192)
  CHECK(answer.longest_context == 131072);                      // there is room for 411525
  CHECK(answer.kv_bytes_per_token == 131072);
  CHECK(answer.lacks.empty());
  CHECK(*answer.tpot.seconds == doctest::Approx((15009849344.0 + 16 * 1073741824.0) / 3.35e12));
  CHECK(answer.tpot.bound == Bound::memory);
}

TEST_CASE("twice the bandwidth halves what is bound by memory, twice the FLOPS changes nothing") {
  const Answer answer = work_out(llama_8b(), h100(), ask(8192));
  CHECK(*answer.tpot_twice_bandwidth.seconds == doctest::Approx(*answer.tpot.seconds / 2));
  CHECK(*answer.tpot_twice_compute.seconds == *answer.tpot.seconds);
}

TEST_CASE("Llama-3.1-70B takes four H100: two would hold the weights alone and no more") {
  const Answer answer = work_out(llama_70b(), h100(), ask(8192));
  CHECK(answer.smallest_devices == 4);
  CHECK(answer.devices == 4);
  CHECK(answer.fits == Fits::yes);
  Ask on_two = ask(8192);
  on_two.devices = 2;
  const Answer two = work_out(llama_70b(), h100(), on_two);
  CHECK(two.fits == Fits::no);
  CHECK(two.lacks_any({Lack::too_big}));
  CHECK(two.largest_concurrency == 0);
  CHECK(two.smallest_devices == 4);
}

TEST_CASE("more sequences than there is room for do not fit one device, and take more of them") {
  Ask one = ask(8192, 51);
  one.devices = 1;
  CHECK(work_out(llama_8b(), h100(), one).fits == Fits::no);
  one.concurrency = 50;
  CHECK(work_out(llama_8b(), h100(), one).fits == Fits::yes);
  CHECK(work_out(llama_8b(), h100(), ask(8192, 51)).smallest_devices == 2);
}

TEST_CASE("heads that cannot be spread do not fit, though there is room") {
  Ask three = ask(100);
  three.devices = 3;
  const Answer answer = work_out(llama_8b(), h100(), three);
  CHECK(answer.fits == Fits::yes);
  CHECK(answer.splits == Fits::no);
  CHECK(answer.overall() == Fits::no);
  CHECK(answer.lacks_any({Lack::heads_uneven}));
  CHECK_FALSE(answer.lacks_any({Lack::too_big}));
  three.devices = 2;
  CHECK(work_out(llama_8b(), h100(), three).splits == Fits::yes);
}

TEST_CASE("nobody says how much memory, or how fast: unknown, and no figure") {
  Device device = h100();
  device.memory.reset();
  device.bandwidth.reset();
  const Answer answer = work_out(llama_8b(), device, ask(8192));
  CHECK(answer.fits == Fits::unknown);
  CHECK_FALSE(answer.room_bytes);
  CHECK_FALSE(answer.largest_concurrency);
  CHECK_FALSE(answer.tpot.seconds);
  CHECK_FALSE(answer.ridge_batch);
  CHECK_FALSE(answer.smallest_devices);
  CHECK(answer.lacks_any({Lack::memory_unknown}));
  CHECK(answer.lacks_any({Lack::bandwidth_unknown}));
  CHECK(answer.weight_bytes);
}

TEST_CASE("weights as if stored in another precision") {
  Ask in_int4 = ask(8192);
  in_int4.precision = format_named("int4");
  const Answer answer = work_out(llama_8b(), h100(), in_int4);
  CHECK(*answer.weight_bytes == 5727460432.0);
  Ask in_fp8 = ask(8192);
  in_fp8.precision = format_named("fp8");
  in_fp8.kv_bytes_per_value = 1;
  CHECK(work_out(llama_8b(), h100(), in_fp8).roof.peak == 1979e12);
  CHECK(work_out(llama_8b(), h100(), in_fp8).kv_bytes_per_token == 65536);
}

TEST_CASE("an answer's tokens are no prompt") {
  Ask split = ask(8192);
  split.output_tokens = 1192;
  const Answer answer = work_out(llama_8b(), h100(), split);
  CHECK(answer.decode->cache_bytes == 131072.0 * (8192 - 596));
  CHECK(answer.prefill->operations < work_out(llama_8b(), h100(), ask(8192)).prefill->operations);
}

TEST_CASE("longer than it was trained for is said, and not held against memory") {
  const Answer answer = work_out(llama_8b(), h100(), ask(200000));
  CHECK(answer.fits == Fits::yes);
  CHECK(answer.lacks_any({Lack::beyond_training}));
}

TEST_CASE("an engine that does not load it, or of which nobody says") {
  Ask with = ask(8192);
  with.engine = "vllm";
  CHECK(work_out(llama_8b(), h100(), with).overall() == Fits::yes);
  ModelShape awq = llama_8b();
  awq.quantisation = "awq";
  const Device& v100 = *built_in_devices().find("v100-sxm2-32");
  const Answer no = work_out(awq, v100, with);
  CHECK(no.fits == Fits::yes);
  CHECK(no.overall() == Fits::no);
  CHECK(no.lacks_any({Lack::engine_says_no}));
  with.engine = "mindie";
  CHECK(work_out(llama_8b(), h100(), with).overall() == Fits::unknown);
}

TEST_CASE("every device of the catalogue gets an answer, and a percentage of nothing for none") {
  for (const Device& each : built_in_devices().all()) {
    CAPTURE(each.id);
    const Answer answer = work_out(deepseek_v3(), each, ask(4096, 8));
    CHECK(answer.tpot.seconds.has_value() == (each.bandwidth.has_value() && answer.weight_bytes.has_value()));
    CHECK((answer.fits == Fits::unknown || each.memory));
  }
}
