#include "report/offline.hpp"

#include <doctest/doctest.h>

#include "text/catalogue.hpp"

namespace scoville::report {
namespace {

analyse::OfflineJob job() {
  analyse::OfflineJob job;
  job.rows = 1000;
  job.succeeded = 990;
  job.failed = 10;
  job.is_complete = true;
  job.slots = 64;
  job.took = std::chrono::seconds(200);
  job.tail = std::chrono::seconds(20);
  job.rows_per_hour = 17820;
  job.output_tokens_per_s = {500, 540};
  return job;
}

TEST_CASE("the job's table has its time, its rows per hour, and the rate with and without the tail") {
  const std::string table = offline_table(job());
  CHECK(table.find("1000 rows, 10 failed") != std::string::npos);
  CHECK(table.find("17820") != std::string::npos);
  CHECK(table.find("20.0 s (10 % of the time)") != std::string::npos);
  CHECK(table.find("500 over the whole job, 540 without the tail") != std::string::npos);
}

TEST_CASE("a job cut short says so; slots that were never all busy give no tail") {
  analyse::OfflineJob cut = job();
  cut.is_complete = false;
  cut.tail.reset();
  const std::string table = offline_table(cut);
  CHECK(table.find("not finished: 990 of 1000") != std::string::npos);
  CHECK(table.find("never all busy") != std::string::npos);
  CHECK(offline_json(cut).at("tail_s").is_null());
  CHECK(offline_json(cut).at("complete") == false);
}

}  // namespace
}  // namespace scoville::report
