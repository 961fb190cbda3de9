#pragma once

#include <optional>

#include "cost/model.hpp"

namespace scoville::cost {

/// Where an option costs less than the first one.
enum class Sense { never, always, above, below };
inline constexpr std::array<std::string_view, 4> kSenseNames{"never", "always", "above", "below"};

/// A demand with whole nodes: accelerators that each of the two then has, and what it costs.
struct WholePoint {
  double first_acc = 0, option_acc = 0;
  double mtok_out = 0;
  double first_cost = 0, option_cost = 0;
};

/// Between the two the sign flips with rounding: a zone, not a number.
struct Zone {
  std::optional<WholePoint> first_win;  ///< the smallest demand at which the option is cheaper
  std::optional<WholePoint> last_loss;  ///< the largest at which it is not
};

struct BreakEven {
  Sense sense = Sense::never;
  Line first, option;
  std::optional<double> mtok_out;               ///< a year, where the two cost the same with cards that may be divided
  std::optional<double> first_acc, option_acc;  ///< accelerators of each for that
  std::optional<Zone> zone;                     ///< where both are made of nodes, or one is
};

BreakEven break_even(const Model& model, std::size_t option);

/// The ratio of this option's throughput to the first one's at which both cost the same at the model's demand, its rate
/// alone being changed; the delay is then bridged by that ratio too, where it follows. Empty: no ratio does it.
std::optional<double> break_even_ratio(const Model& model, std::size_t option);

/// The one-off porting against what it brings at the model's demand.
struct PortingCase {
  double oneoff = 0;
  double saving_before = 0;             ///< money a year, the one-off porting left out
  std::optional<double> payback_years;  ///< simple; empty: never
  double net_present_value = 0;         ///< over the horizon
  double affordable = 0;                ///< the largest one-off that would not lose
  std::optional<double> affordable_engineer_years;
};
PortingCase porting_case(const Model& model, std::size_t option);

}  // namespace scoville::cost
