#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <random>
#include <vector>

#include "decide/saturation.hpp"

namespace scoville::decide {

// For tests: S servers, one queue, first come first served, every service as long as the next; simulated event by
// event, with nothing of the code under test but the form of its answer.

struct MadeQueue {
  std::size_t servers = 4;
  double service_s = 0.05;
  double first_token_s = 0.005;  ///< from the start of service
  bool is_constant = false;      ///< arrivals; else Poisson

  double capacity() const { return static_cast<double>(servers) / service_s; }
};

/// An open loop: `count` requests at `rate` on an empty server. One SLO, on the time to the first token.
inline analyse::SloSample measured_at(const MadeQueue& queue, double rate, std::size_t count, std::mt19937_64& random) {
  std::exponential_distribution<double> gap(rate);
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (std::size_t i = 0; i < queue.servers; ++i) free.push(0);
  analyse::SloSample out;
  out.latencies.resize(1);
  double due = 0;
  for (std::size_t i = 0; i < count; ++i) {
    due = queue.is_constant ? static_cast<double>(i) / rate : due + gap(random);
    const double begins = std::max(due, free.top());
    free.pop();
    free.push(begins + queue.service_s);
    out.at.push_back(due);
    out.first_token.push_back(begins - due + queue.first_token_s);
    out.end.push_back(begins - due + queue.service_s);
  }
  out.latencies[0] = out.first_token;
  return out;
}

/// A closed loop: so many users, each of whom sends when the answer before has ended.
inline analyse::SloSample measured_with(const MadeQueue& queue, std::size_t users, std::size_t count) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free, next;
  for (std::size_t i = 0; i < queue.servers; ++i) free.push(0);
  for (std::size_t i = 0; i < users; ++i) next.push(0);
  analyse::SloSample out;
  out.latencies.resize(1);
  for (std::size_t i = 0; i < count; ++i) {
    const double sent = next.top(), begins = std::max(sent, free.top());
    next.pop();
    free.pop();
    free.push(begins + queue.service_s);
    next.push(begins + queue.service_s);
    out.at.push_back(sent);
    out.first_token.push_back(begins - sent + queue.first_token_s);
    out.end.push_back(begins - sent + queue.service_s);
  }
  out.latencies[0] = out.first_token;
  return out;
}

inline plan::Slo ttft_within(double limit_s, double share) {
  return {plan::SloMetric::ttft, share, from_seconds(limit_s), "ttft"};
}

}  // namespace scoville::decide
