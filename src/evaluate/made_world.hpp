#pragma once

#include <string>
#include <vector>

#include "decide/made_arm.hpp"
#include "evaluate/findings.hpp"

namespace scoville::evaluate {

// For tests: two systems whose figures are known because they are made.

/// Requests per second within the limits, tokens per second, and P95 latencies in ms, one number a run.
struct MadeSide {
  std::vector<double> goodput, tokens_per_s, ttft_p95, tpot_p95;
};

inline decide::Arm made_side(std::string name, const MadeSide& side, std::size_t requests = 200) {
  decide::Arm arm = decide::arm_of_rates(std::move(name), side.tokens_per_s);
  for (std::size_t i = 0; i < arm.runs.size(); ++i) {
    analyse::RunStatistics& all = arm.runs[i].statistics;
    all.attempted = all.succeeded = requests;
    if (i < side.goodput.size()) all.goodput_per_s = side.goodput[i];
    const auto set = [&](analyse::Latency which, const std::vector<double>& millis) {
      if (i < millis.size()) all.latencies[static_cast<std::size_t>(which)].p95.value = millis[i] * 1e6;
    };
    set(analyse::Latency::ttft, side.ttft_p95);
    set(analyse::Latency::tpot, side.tpot_p95);
  }
  return arm;
}

/// Measured in pairs, behind the gate.
inline Serving made_serving(std::string workload, const MadeSide& base, const MadeSide& other) {
  Serving out;
  out.workload = std::move(workload);
  out.candidate = "candidate";
  out.base = made_side("base", base);
  out.other = made_side("candidate", other);
  decide::CompareOptions options;
  options.design = decide::Design::paired;
  options.primary = {base.goodput.empty() ? "output_tokens_per_s" : "goodput_per_s"};
  out.comparison = decide::compare(*out.base, *out.other, decide::check(*out.base, *out.other), options);
  return out;
}

/// Eight runs around a value, ± 0.5 %: what a quiet machine gives.
inline std::vector<double> around(double value, double spread = 0.005) {
  std::vector<double> out;
  for (const double each : {-1.0, 0.6, -0.3, 0.9, 0.1, -0.7, 0.4, -0.1}) out.push_back(value * (1 + each * spread));
  return out;
}

}  // namespace scoville::evaluate
