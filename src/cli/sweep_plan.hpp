#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "decide/sweep.hpp"

namespace scoville::cli {

/// One thing that is varied, with its values as they were given.
struct Axis {
  std::string name;
  std::vector<std::string> values;

  friend bool operator==(const Axis&, const Axis&) = default;
};

/// "concurrency=1,2,4", "rate=0.5:8:x2", "input-len=128:512:+128". vLLM's names of the same are taken, too.
Result<Axis> parse_load_axis(std::string_view given);
/// "tp=1,2": values are the engine's, whatever they are.
Result<Axis> parse_setting_axis(std::string_view given);
/// The flag that says one value of an axis of a load: "--max-concurrency".
std::string_view flag_of_axis(std::string_view axis);

/// One run to be made.
struct SweepStep {
  std::size_t point = 0, repeat = 0;

  friend bool operator==(const SweepStep&, const SweepStep&) = default;
};

/// The whole experiment, before anything is measured: made from the flags, or read back.
struct SweepPlan {
  std::vector<decide::Choices> settings;   ///< combinations of engine settings, the last named varying fastest
  std::vector<decide::SweepPoint> points;  ///< nothing of them measured
  std::vector<SweepStep> order;            ///< one combination after the other
  std::size_t repeats = 1;
  std::uint64_t seed = 0;
  bool is_in_order = false;
  std::vector<double> at;   ///< tokens/s of a user to read the frontier at, ascending
  std::string device_hour;  ///< as it was given; empty: it was not
  json::array options;      ///< the command line: sweep_words.hpp
};

/// Every combination of everything. In each combination of settings the loads come in rounds, a round in random order
/// by `seed`, so that what drifts meets all of them; or as listed.
SweepPlan make_plan(const std::vector<Axis>& settings, const std::vector<Axis>& loads, std::size_t repeats,
                    std::uint64_t seed, bool is_in_order);

json::object to_json(const SweepPlan& plan);
Result<SweepPlan> sweep_plan_from(const json::value& value);

}  // namespace scoville::cli
