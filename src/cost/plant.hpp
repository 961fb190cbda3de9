#pragma once

#include <optional>
#include <string>

#include "cost/study.hpp"

namespace scoville::cost {

/// An option as numbers alone, ready to be worked out a thousand times: every input has its value.
struct Plant {
  Kind kind = Kind::owned;
  Billing billing = Billing::committed;
  bool colo_includes_power = false;
  bool is_served_volume = false;  ///< its rates are those of a volume that was served: nothing is taken off them
  bool delay_follows = true;      ///< delay_equiv is this option's rate ÷ that of the first
  bool billed_follows = true;     ///< of what is billed on demand: the utilisation
  Values values;

  double operator[](In id) const { return values[id]; }
  double& operator[](In id) { return values[id]; }
  /// Output tokens/s of an accelerator.
  double out_rate() const { return values[In::out_per_s] * values[In::perf_scale]; }
  double in_rate() const { return values[In::in_per_s] * values[In::perf_scale]; }
};

/// Per accelerator that serves.
struct Tokens {
  double unplanned_down = 0, availability = 1, useful_share = 1;
  double mtok_out = 0, mtok_in = 0;  ///< a year
};
Tokens tokens_of(const Plant& plant);

/// Hours of a year, of a month; seconds of a year.
inline constexpr double kYearHours = 8760, kMonthHours = 730, kYearSeconds = 31536000;

/// Whole cards and nodes, or shares of them.
enum class Rounding { whole, fractional };

/// What stands there so that `serving` accelerators work.
struct Fleet {
  double serving = 0;    ///< accelerators
  double installed = 0;  ///< the redundant ones too
  double bought = 0;     ///< and the spares
  double nodes = 0;
};
Fleet fleet_of(const Plant& plant, double serving, Rounding rounding);
/// As many whole nodes as hold so many accelerators.
double whole_nodes(const Plant& plant, double accelerators);

}  // namespace scoville::cost
