#include "cli/sweep_lengths.hpp"

#include <doctest/doctest.h>

#include <set>

namespace scoville::cli {

TEST_CASE("each round has every length once, in an order of its own") {
  const std::vector<std::uint32_t> lengths{14, 15, 16, 17, 18};
  const dataset::Workload made = length_workload(lengths, 3, 4, 1);
  REQUIRE(made.chains.size() == 15);
  std::vector<std::vector<std::uint32_t>> rounds(3);
  for (std::size_t i = 0; i < 15; ++i) {
    REQUIRE(made.chains[i].turns.size() == 1);
    CHECK(made.chains[i].turns[0].output_tokens == 4);
    rounds[i / 5].push_back(made.chains[i].turns[0].input_tokens);
  }
  for (const auto& round : rounds) CHECK(std::set<std::uint32_t>(round.begin(), round.end()).size() == 5);
  CHECK(rounds[0] != rounds[1]);
}

TEST_CASE("lengths are told by what the engine counted; a failed request says nothing of its length") {
  Measured measured;
  for (int i = 0; i < 8; ++i) {
    event::RequestRecord record;
    record.asked_prompt_tokens = 16;
    record.prompt_tokens = 17;
    record.written = Instant(std::chrono::seconds(i));
    record.first_token = *record.written + std::chrono::milliseconds(170);
    if (i == 7) record.failure = event::Failure::http_status;
    measured.result.records.push_back(record);
  }
  const report::ShapesView view = shapes_of(measured, 8);
  REQUIRE(view.lengths.size() == 1);
  CHECK(view.lengths[0].tokens == 17);
  CHECK(view.lengths[0].n == 7);
  CHECK(view.lengths[0].per_token_s.value() == doctest::Approx(0.01));
}

}  // namespace scoville::cli
