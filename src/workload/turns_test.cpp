#include "workload/turns.hpp"

#include <doctest/doctest.h>

#include "workload/made_request.hpp"

namespace scoville::workload {

TEST_CASE("a request that begins with an earlier one and its answer goes on with it") {
  const std::vector<LoggedRequest> rows{
      made_request(0, 1, "su", {1, 10}),
      made_request(2, 1, "su", {1, 20}),            // another conversation with the same system prompt
      made_request(5, 1, "suau", {1, 10, 11, 12}),  // goes on with the first
      made_request(9, 1, "suauau", {1, 10, 11, 12, 13, 14}),
  };
  CHECK(find_chains(rows) == std::vector<Chain>{{0, 2, 3}, {1}});
}

TEST_CASE("without an answer in between it is a longer prompt, not the next turn") {
  const std::vector<LoggedRequest> rows{made_request(0, 1, "u", {1}), made_request(5, 1, "uu", {1, 2})};
  CHECK(find_chains(rows) == std::vector<Chain>{{0}, {1}});
}

TEST_CASE("a point is gone on from once; who does so again begins anew") {
  const std::vector<LoggedRequest> rows{made_request(0, 1, "u", {1}), made_request(5, 1, "uau", {1, 2, 3}),
                                        made_request(6, 1, "uau", {1, 2, 4})};
  CHECK(find_chains(rows) == std::vector<Chain>{{0, 1}, {2}});
}

TEST_CASE("of two equal beginnings the latest that had ended is meant") {
  const std::vector<LoggedRequest> rows{
      made_request(0, 1, "u", {1}),
      made_request(1, 1, "u", {1}),
      made_request(4, 9, "u", {1}),  // still being answered
      made_request(5, 1, "uau", {1, 2, 3}),
  };
  CHECK(find_chains(rows) == std::vector<Chain>{{0}, {1, 3}, {2}});
}

TEST_CASE("of two equal beginnings the one is meant whose answer comes back; where none is, the latest") {
  std::vector<LoggedRequest> rows{made_request(0, 1, "u", {1}), made_request(1, 1, "u", {1}),
                                  made_request(5, 1, "uau", {1, 2, 3})};
  rows[0].answer_hash = 2;
  rows[1].answer_hash = 22;
  CHECK(find_chains(rows) == std::vector<Chain>{{0, 2}, {1}});
  rows[0].answer_hash = 222;
  CHECK(find_chains(rows) == std::vector<Chain>{{0}, {1, 2}});
}

TEST_CASE("other models and other sessions do not go on with each other") {
  std::vector<LoggedRequest> rows{made_request(0, 1, "u", {1}), made_request(5, 1, "uau", {1, 2, 3})};
  rows[1].model = "n";
  CHECK(find_chains(rows).size() == 2);
  rows[1].model = "m";
  rows[0].session = "a";
  rows[1].session = "b";
  CHECK(find_chains(rows).size() == 2);
  rows[1].session = "a";
  CHECK(find_chains(rows).size() == 1);
}

TEST_CASE("without messages a session tells, as long as the prompt holds what came before") {
  std::vector<LoggedRequest> rows(3, made_request(0, 1));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].session = "s";
    rows[i].at = *rows[0].at + std::chrono::seconds(10 * i);
    rows[i].output_tokens = 5;
  }
  rows[0].input_tokens = 10;
  rows[1].input_tokens = 15;
  rows[2].input_tokens = 19;  // 15 + 5 would be 20: it begins anew
  CHECK(find_chains(rows) == std::vector<Chain>{{0, 1}, {2}});
}

}  // namespace scoville::workload
