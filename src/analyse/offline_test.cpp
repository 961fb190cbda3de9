#include "analyse/offline.hpp"

#include <doctest/doctest.h>

#include "analyse/made_record.hpp"

namespace scoville::analyse {
namespace {

/// Four slots; twelve rows of one second each but the last, which takes three.
run::RunResult job_of(std::size_t rows) {
  run::RunResult run;
  for (std::size_t i = 0; i < rows; ++i) {
    const double from = static_cast<double>(i / 4) * 1000;
    const double took = i + 1 == rows ? 3000 : 1000;
    event::RequestRecord record = answered(from, every(took / 10, 10, from + took / 10), from + took);
    record.index = i;
    record.n_out = 10;
    record.prompt_tokens = 100;
    run.add(std::move(record));
  }
  return run;
}

TEST_CASE("a job's tail is what follows the last moment with all slots busy") {
  plan::LoadPlan plan;
  plan.max_concurrency = 4;
  plan.num_prompts = 12;
  const Analysis analysis = analyse(job_of(12), plan, {}).value();
  const OfflineJob job = offline_job(analysis, plan);
  CHECK(job.rows == 12);
  CHECK(job.succeeded == 12);
  CHECK(job.is_complete);
  CHECK(job.took == std::chrono::seconds(5));  // rows 9 … 12 begin at 2 s, the last ends at 5 s
  REQUIRE(job.tail);
  CHECK(*job.tail == std::chrono::seconds(2));
  CHECK(*job.rows_per_hour == doctest::Approx(12.0 / 5 * 3600));
  CHECK(*job.output_tokens_per_s.full == doctest::Approx(120.0 / 5));
  CHECK(*job.output_tokens_per_s.steady > *job.output_tokens_per_s.full);
}

TEST_CASE("a job that was stopped is not complete, and its failures stay") {
  plan::LoadPlan plan;
  plan.max_concurrency = 4;
  plan.num_prompts = 20;
  run::RunResult run = job_of(12);
  run.records[3].failure = event::Failure::http_status;
  const OfflineJob job = offline_job(analyse(run, plan, {}).value(), plan);
  CHECK(!job.is_complete);
  CHECK(job.failed == 1);
  CHECK(job.succeeded == 11);
}

}  // namespace
}  // namespace scoville::analyse
