#include "workload/lengths.hpp"

#include <doctest/doctest.h>

#include "workload/made_request.hpp"

namespace scoville::workload {
namespace {

LoggedRequest with_chars(std::uint64_t chars) {
  LoggedRequest row = made_request(0, 1, "u", {1});
  row.prompt->chars = chars;
  return row;
}

}  // namespace

TEST_CASE("tokens a character are measured where both are known: 30 tokens on 100 characters") {
  std::vector<LoggedRequest> rows{with_chars(60), with_chars(40), with_chars(5000)};
  rows[0].input_tokens = 20;
  rows[1].input_tokens = 10;
  const TokensPerChar ratio = tokens_per_char(rows, 0.9);
  CHECK(ratio.value == doctest::Approx(0.3));
  CHECK(ratio.source == TokensPerChar::Source::measured);
  CHECK(ratio.requests == 2);
  rows[0].prompt->other_parts = 1;  // an image has tokens and no characters
  CHECK(tokens_per_char(rows, {}).value == doctest::Approx(0.25));
  CHECK(tokens_per_char({}, 0.9).source == TokensPerChar::Source::given);
  CHECK(tokens_per_char({}, {}).source == TokensPerChar::Source::assumed);
}

TEST_CASE("lengths come from usage, else from characters, else they are assumed; each is counted") {
  std::vector<LoggedRequest> rows{with_chars(1000), with_chars(1000), made_request(0, 1), made_request(0, 1)};
  rows[0].input_tokens = 7;
  rows[3].request_bytes = 400;
  const LengthDoubts doubts = fill_lengths(rows, {0.3, TokensPerChar::Source::given, 0}, 512);
  CHECK(rows[0].input_tokens == 7);
  CHECK(rows[1].input_tokens == 300);
  CHECK(rows[2].input_tokens == 512);
  CHECK(rows[3].input_tokens == 120);
  CHECK(doubts.estimated_input == 2);
  CHECK(doubts.assumed_input == 1);
  CHECK(doubts.unlimited_output == 4);
}

TEST_CASE("an unknown output is the median of those known of its model, and of all for a model without any") {
  std::vector<LoggedRequest> rows(6, made_request(0, 1));
  rows[0].output_tokens = 10;
  rows[1].output_tokens = 30;
  rows[2].output_tokens = 20;
  rows[3].output_tokens = 1000;
  rows[3].model = "n";
  rows[5].model = "x";
  rows[4].answer_chars = 8;  // of an answer that failed: not its length
  rows[4].failure = "client_closed";
  const LengthDoubts doubts = fill_lengths(rows, {}, 512);
  CHECK(rows[4].output_tokens == 20);  // of 10, 20, 30
  CHECK(rows[5].output_tokens == 20);  // of 10, 20, 30, 1000: rank ⌈4/2⌉
  CHECK(doubts.median_output == 2);
  CHECK(doubts.estimated_output == 0);
}

TEST_CASE("an answer without a count has the tokens of its characters; an access log those of its bytes") {
  std::vector<LoggedRequest> rows{with_chars(100), made_request(0, 1), with_chars(100)};
  rows[0].answer_chars = 40;
  rows[0].answer_bytes = 9999;  // of events around it
  rows[1].answer_bytes = 80;
  rows[2].output_tokens = 0;  // an embedding
  const LengthDoubts doubts = fill_lengths(rows, {0.25, TokensPerChar::Source::assumed, 0}, 512);
  CHECK(rows[0].output_tokens == 10);
  CHECK(rows[1].output_tokens == 20);
  CHECK(rows[2].output_tokens == 1);
  CHECK(doubts.estimated_output == 2);
}

}  // namespace scoville::workload
