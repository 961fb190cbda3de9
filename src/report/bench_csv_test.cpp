#include "report/bench_csv.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

namespace scoville::report {
namespace {

constexpr const char* kHead =
    "index,attempt,due_s,dequeued_s,written_s,first_token_s,last_token_s,end_s,failed_s,ttft_ms,tpot_ms,e2e_ms,n_out,"
    "max_tokens,prompt_tokens,cached_tokens,failure,http_status,finish_reason,flags,error\r\n";

std::string csv_of(std::vector<event::RequestRecord> records) {
  run::RunResult run;
  run.start = analyse::at_ms(100);
  run.records = std::move(records);
  return bench_csv(run).value();
}

}  // namespace

TEST_CASE("a success: times since the start, latencies from the due time, unknown left empty") {
  event::RequestRecord record = analyse::answered(110, {150, 160, 170}, 175);
  record.due = analyse::at_ms(105);
  record.max_tokens = 64;
  record.prompt_tokens = 12;
  record.flags.set(event::Flag::coalesced);
  record.flags.set(event::Flag::no_done);
  // TTFT 150 − 105, TPOT (170 − 150) / 2, E2E 175 − 105
  CHECK(
      csv_of(analyse::list_of(std::move(record))) ==
      std::string(kHead) +
          "0,0,0.005000000,0.010000000,0.010000000,0.050000000,0.070000000,0.075000000,,45.000000,10.000000,70.000000,"
          "3,64,12,,,200,length,coalesced no_done,\r\n");
}

TEST_CASE("without a schedule latencies count from the write") {
  event::RequestRecord record = analyse::answered(110, {150}, 150);
  record.n_out = 0;
  CHECK(csv_of(analyse::list_of(std::move(record))).find(",40.000000,,40.000000,0,") != std::string::npos);
}

TEST_CASE("a failure has its class and no latency; its words are quoted") {
  event::RequestRecord record = analyse::failure(90, 120, event::Failure::http_status);
  record.http_status = 503;
  record.error_message = "say \"no\", twice\nplease";
  CHECK(csv_of(analyse::list_of(std::move(record))) ==
        std::string(kHead) +
            "0,0,,-0.010000000,-0.010000000,,,,0.020000000,,,,,,,,http_status,503,,,"
            "\"say \"\"no\"\", twice\nplease\"\r\n");
}

TEST_CASE("rows are in the order of index and attempt") {
  event::RequestRecord late = analyse::answered(110, {150}, 150), retry = analyse::answered(110, {150}, 150);
  event::RequestRecord first = analyse::failure(110, 120, event::Failure::reset);
  late.index = 10;
  retry.index = first.index = 9;
  retry.attempt = 1;
  const std::string csv = csv_of(analyse::list_of(std::move(late), std::move(retry), std::move(first)));
  const auto place = [&](const char* row) { return csv.find(std::string("\r\n") + row); };
  REQUIRE(place("10,0,") != std::string::npos);
  CHECK(place("9,0,") < place("9,1,"));
  CHECK(place("9,1,") < place("10,0,"));
}

TEST_CASE("no request: the names alone") { CHECK(csv_of({}) == kHead); }

}  // namespace scoville::report
