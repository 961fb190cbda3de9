#include "analyse/offline.hpp"

namespace scoville::analyse {

OfflineJob offline_job(const Analysis& analysis, const plan::LoadPlan& plan) {
  OfflineJob job;
  job.rows = plan.num_prompts;
  job.succeeded = analysis.succeeded;
  job.failed = analysis.attempted - analysis.succeeded;
  job.slots = plan.max_concurrency;
  job.took = analysis.full.length();
  const std::size_t cut_off = analysis.failed[static_cast<std::size_t>(event::Failure::aborted)];
  job.is_complete = analysis.attempted >= job.rows && cut_off == 0;
  const double seconds = to_seconds(job.took);
  if (job.succeeded > 0 && seconds > 0) job.rows_per_hour = static_cast<double>(job.succeeded) / seconds * 3600;
  if (analysis.steady) job.tail = analysis.full.to - analysis.steady->to;
  job.output_tokens_per_s = analysis.rates.output_tokens_per_s;
  job.total_tokens_per_s = analysis.rates.total_tokens_per_s;
  if (job.tail && *job.tail < job.took) return job;
  job.output_tokens_per_s.steady.reset();  // there is nothing but a tail
  job.total_tokens_per_s.steady.reset();
  return job;
}

}  // namespace scoville::analyse
