#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/money.hpp"
#include "decide/sweep.hpp"

namespace scoville::report {

/// All that `sweep` has to say. Points in the order of the lists, whatever order they were measured in.
struct SweepView {
  std::string url, model, set;
  std::vector<decide::Choices> settings;    ///< combinations of engine settings; one, empty: none were varied
  std::vector<std::optional<int>> devices;  ///< of each
  std::vector<decide::SweepPoint> points;
  std::vector<decide::SettingsPair> pairs;  ///< combinations that are not simply together
  std::vector<double> at;                   ///< tokens/s of a user, ascending
  std::optional<Money> per_device_hour;
  bool has_limits = false;  ///< good requests are counted
  bool is_in_order = false;
  std::uint64_t seed = 0;
  std::size_t repeats = 1;
};

/// docs/formats/sweep.md.
json::object sweep_json(const SweepView& view);

/// For a terminal: a line a point, the frontiers, what is best at each x, and why something is not ranked.
std::string sweep_table(const SweepView& view);

/// "tp 2, dtype bf16"; empty where there are none.
std::string choices_text(const decide::Choices& choices);
/// Output tokens for one unit of money; empty where something of it is not known, or costs nothing.
std::optional<double> tokens_per_money(const SweepView& view, const decide::SweepPoint& point);

}  // namespace scoville::report
