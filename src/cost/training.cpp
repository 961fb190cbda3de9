#include "cost/training.hpp"

#include <cmath>

#include "cost/plant.hpp"

namespace scoville::cost {

double young_interval(const Interruptions& job) { return std::sqrt(2 * job.checkpoint * job.mtbi); }

double daly_interval(const Interruptions& job) {
  if (job.checkpoint >= 2 * job.mtbi) return job.mtbi;
  const double ratio = job.checkpoint / (2 * job.mtbi);
  return young_interval(job) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - job.checkpoint;
}

double effective_time_ratio(const Interruptions& job, double interval) {
  return interval / (job.mtbi * std::exp(job.restart / job.mtbi) * std::expm1((interval + job.checkpoint) / job.mtbi));
}

double mean_time_between(double accelerators, double failures_per_year) {
  return kYearSeconds / (accelerators * failures_per_year);
}

TrainingGoodput training_goodput(const Interruptions& job) {
  TrainingGoodput out;
  out.job = job;
  out.young = young_interval(job);
  out.daly = daly_interval(job);
  out.ratio_young = effective_time_ratio(job, out.young);
  out.ratio_daly = effective_time_ratio(job, out.daly);
  return out;
}

}  // namespace scoville::cost
