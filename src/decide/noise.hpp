#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "decide/arm.hpp"

namespace scoville::decide {

/// One unchanged system measured against itself, run by run: what a comparison shows where there is nothing to show.
struct NoiseFloor {
  std::string system;     ///< hash of the comparable fields of the fingerprint; "" where nothing is known of it
  std::string url, load;  ///< what was measured, for people
  std::size_t pairs = 0;
  std::map<std::string, double> floors;  ///< by metric: exp(P95 of |ln ratio|) − 1
  std::map<std::string, std::vector<double>> ratios;
  /// By metric: p of A against A', unpaired. One below 0.05 is an A/A test that called a difference.
  std::map<std::string, double> p;
};

/// The system that a floor is about, to find it again: fingerprint and load of a setup.
std::string floor_key(const Setup& setup);

/// A and A' are the runs of one arm in turn (1st, 3rd, … against 2nd, 4th, …), or those of two arms side by side. The
/// count of pairs is the smaller arm's. Fewer than ten pairs: an empty `floors`, and the ratios all the same.
NoiseFloor measure_noise(const Arm& arm);
NoiseFloor measure_noise(const Arm& base, const Arm& again);

json::object to_json(const NoiseFloor& floor);
Result<NoiseFloor> noise_floor_from(const json::value& value);

/// Of the A/A tests that are known, newest first, the last twenty: how many called a difference by this metric, and
/// whether that is too many for chance (stats::kBrokenHarness). Then no comparison is to be believed.
struct HarnessHealth {
  std::size_t tests = 0, differences = 0;
  std::optional<double> chance;
  bool is_broken = false;
};
HarnessHealth judge_harness(const std::vector<NoiseFloor>& newest_first, const std::string& metric);

}  // namespace scoville::decide
