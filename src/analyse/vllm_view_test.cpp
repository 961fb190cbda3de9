#include "analyse/vllm_view.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {

/// Taken up at 0, written at 40 over a new connection; a role-only chunk at 90, three tokens, a finish chunk at 210.
event::RequestRecord with_role_chunk() {
  event::RequestRecord record = answered(40, {100, 150, 200}, 215);
  record.dequeued = at_ms(0);
  record.first_chunk = at_ms(90);
  record.last_chunk = at_ms(210);
  return record;
}

}  // namespace

TEST_CASE("vLLM's client starts its clock before it connects, and stops TTFT at a chunk without text") {
  const auto records = list_of(with_role_chunk());
  const VllmView view = filled(VllmPool(), records).view();
  CHECK(view.ttft.mean == 90e6);  // ours: 60 ms, from the write to the first token
  CHECK(view.e2el.mean == 210e6);
}

TEST_CASE("vLLM's client divides by n − 1, whatever the first chunk held, and up to the finish chunk") {
  auto records = list_of(with_role_chunk());
  CHECK(filled(VllmPool(), records).view().tpot.mean == 60e6);  // (210 − 90) / 2
  records[0].k_first = 2;
  CHECK(filled(VllmPool(), records).view().tpot.mean == 60e6);
  records[0].n_out = 1;
  CHECK(filled(VllmPool(), records).view().tpot.n == 0);
}

TEST_CASE("its ITL are the gaps between chunks, empty ones included") {
  const auto records = list_of(with_role_chunk());
  const VllmView view = filled(VllmPool(), records).view();
  CHECK(view.itl.n == 4);  // 90 → 100 → 150 → 200 → 210
  CHECK(view.itl.mean == 30e6);
  CHECK(view.itl.median == 30e6);  // between 10 and 50
}

TEST_CASE("chunks that came together have gaps of 0 in its ITL: nobody leaves them out") {
  const auto records = list_of(answered(0, {100, 100, 100, 200}, 200));
  const VllmView view = filled(VllmPool(), records).view();
  CHECK(view.itl.n == 3);
  CHECK(view.itl.median == 0.0);
}

TEST_CASE("its percentiles are numpy's: linear between neighbours") {
  std::vector<event::RequestRecord> records;
  for (const int first : {7, 1, 10, 4, 2, 9, 3, 8, 6, 5}) records.push_back(answered(0, {first * 1.0}, first));
  const VllmView view = filled(VllmPool(), records).view();  // case MEAS-06
  CHECK(view.ttft.median == 5.5e6);
  CHECK(*view.ttft.p99 == doctest::Approx(9.91e6));
}

TEST_CASE("failed requests leave no trace in it, and nothing is null, not 0") {
  const auto records = list_of(failure(0, 5, event::Failure::http_status));
  const VllmView view = filled(VllmPool(), records).view();
  CHECK(view.ttft.n == 0);
  CHECK_FALSE(view.ttft.mean.has_value());
  CHECK_FALSE(view.ttft.p99.has_value());
}

}  // namespace scoville::analyse
