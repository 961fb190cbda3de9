#pragma once

namespace scoville::cost {

/// Times in seconds: mean time between interruptions of the whole job, to write a checkpoint, to be at work again.
struct Interruptions {
  double mtbi = 0, checkpoint = 0, restart = 0;
};

/// The interval between checkpoints by Young's first-order rule, √(2δM).
double young_interval(const Interruptions& job);
/// Daly's higher-order rule, for δ < 2M; M from there on.
double daly_interval(const Interruptions& job);
/// Effective training time ratio: the share of time in which work is done that is not done twice, of exponential
/// interruptions: τ / (M·e^{R/M}·(e^{(τ+δ)/M} − 1)).
double effective_time_ratio(const Interruptions& job, double interval);

/// Of so many accelerators that each fail so often in a year, seconds.
double mean_time_between(double accelerators, double failures_per_year);

struct TrainingGoodput {
  Interruptions job;
  double young = 0, daly = 0;  ///< s
  double ratio_young = 0, ratio_daly = 0;
};
TrainingGoodput training_goodput(const Interruptions& job);

}  // namespace scoville::cost
