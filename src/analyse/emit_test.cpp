#include "analyse/emit.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {
using namespace std::chrono_literals;

/// One request whose events arrived these ns after they were sent.
event::RequestRecord behind_by(const std::vector<std::int32_t>& errors) {
  event::RequestRecord record = answered(0, every(10, errors.size(), 10), 1000);
  for (std::size_t i = 0; i < errors.size(); ++i) record.tokens[i].since_emit_ns = errors[i];
  return record;
}

}  // namespace

TEST_CASE("the error of arrival is pooled over all events, by nearest rank") {
  std::vector<event::RequestRecord> records;
  for (int i = 0; i < 10; ++i) records.push_back(behind_by(std::vector<std::int32_t>(10, 1000 * (i + 1))));
  const auto error = filled(EmitPool(), records).error();
  REQUIRE(error.has_value());
  CHECK(error->n == 100);
  CHECK(error->p50 == 5us);
  CHECK(error->p99 == 10us);
  CHECK(error->largest == 10us);
  CHECK(error->icl_error_sd_ns == 0.0);  // a constant error of a stream touches no gap
}

TEST_CASE("the error of a gap is the difference of its ends' errors") {
  const auto records = list_of(behind_by({10000, 20000, 10000}));
  CHECK(*filled(EmitPool(), records).error()->icl_error_sd_ns == doctest::Approx(10000));  // +10 µs and −10 µs around 0
}

TEST_CASE("gaps are neither taken between requests nor across an event without an emit time") {
  const auto records =
      list_of(behind_by({1000, 1000}), behind_by({9000, event::TokenEvent::kNoEmitTime, 90000, 90000}));
  const auto error = filled(EmitPool(), records).error();
  CHECK(error->n == 5);
  CHECK(error->icl_error_sd_ns == 0.0);
}

TEST_CASE("a server that does not tell when it sent leaves the error unknown") {
  const auto records = list_of(answered(0, {10, 20}, 30));
  CHECK_FALSE(filled(EmitPool(), records).error().has_value());
}

}  // namespace scoville::analyse
