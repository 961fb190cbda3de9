#include "report/beside.hpp"

#include <doctest/doctest.h>

#include "report/made_bench.hpp"

namespace scoville::report {
namespace {

using std::chrono::milliseconds;

TEST_CASE("a plain run has nothing beside its figures, and says null") {
  const analyse::Analysis analysis;
  CHECK(beside_lines(analysis).empty());
  CHECK(turn_table(analysis).empty());
  json::object out;
  put_beside(analysis, out);
  for (const char* key : {"lateness", "conversations", "cancelled", "probe"}) CHECK(out.at(key).is_null());
}

TEST_CASE("what stands beside the figures is said in one line each") {
  analyse::Analysis analysis;
  analysis.lateness = analyse::Lateness{100, milliseconds(1), milliseconds(5), milliseconds(9), milliseconds(2), 3};
  analysis.cancelled = analyse::Cancelled{milliseconds(800), 10, 8, 1, 1};
  analysis.conversations = analyse::Conversations{20, 60, 5, 4, {}};
  analysis.conversations->turns.emplace_back();
  analysis.conversations->turns[0].from = 3;
  analysis.conversations->turns[0].to = 4;
  analysis.conversations->turns[0].cached_share = 0.25;
  analysis.probe.emplace();
  analysis.probe->rate_per_s = 2;
  analysis.probe->attempted = 12;
  analysis.probe->succeeded = 11;
  const std::string lines = beside_lines(analysis);
  CHECK(lines.find("P50 1.00 ms, P99 5.00 ms, at most 9.00 ms") != std::string::npos);
  CHECK(lines.find("3 of 100") != std::string::npos);
  CHECK(lines.find("10 requests, 8 given up, 1 ended before that") != std::string::npos);
  CHECK(lines.find("20, 60 requests, 5 turns at most; not sent because a turn before failed: 4") != std::string::npos);
  CHECK(lines.find("11 of 12 succeeded") != std::string::npos);
  const std::string table = turn_table(analysis);
  CHECK(table.find("3–4") != std::string::npos);
  CHECK(table.find("25 %") != std::string::npos);
  json::object out;
  put_beside(analysis, out);
  CHECK(out.at("lateness").at("held_by_cap") == 3);
  CHECK(out.at("conversations").at("turns_not_sent") == 4);
  CHECK(out.at("cancelled").at("after_s") == 0.8);
  CHECK(out.at("probe").at("rate_per_s") == 2.0);
}

}  // namespace
}  // namespace scoville::report
