#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/mser.hpp"
#include "stats/pettitt.hpp"
#include "stats/trend.hpp"

namespace scoville::stats {

enum class SteadyVerdict {
  steady,
  drifting_up,
  drifting_down,
  staircase,  ///< level, then another level: the window is the first plateau, and whoever shows it says so
  not_found,  ///< only numbers of the whole run, flagged
};

/// Why there is no window.
enum class NoWindow {
  none,       ///< there is one
  too_short,  ///< fewer than kFewestSteadySamples to judge
  over_half,  ///< the series does not settle within its first half
  no_level,   ///< a value is not finite, or the level is 0: a relative change has no meaning
};

constexpr std::size_t kFewestSteadySamples = 20;

struct SteadyRule {
  double margin = 0.02;        ///< a relative change up to this is no change
  double significance = 0.05;  ///< of both tests
};

/// The verdict, the samples it is about, and the numbers that led to it (none where they were not reached).
struct SteadyWindow {
  SteadyVerdict verdict = SteadyVerdict::not_found;
  NoWindow reason = NoWindow::none;
  /// Samples [first, last). steady and staircase: what may be used. drifting: what was judged. not_found: empty.
  std::size_t first = 0;
  std::size_t last = 0;
  std::optional<Truncation> truncation;
  std::size_t windows = 0;           ///< how many equal windows the trend was tested on
  std::optional<MannKendall> trend;  ///< over the window means
  std::optional<double> drift;       ///< Theil-Sen slope times the whole length judged, relative to the median level
  std::optional<StepChange> step;    ///< K and p by Pettitt, place and means by least squares; counts from `first`
  std::optional<double> step_p;      ///< p, its exponent times n_eff / n of what the two levels leave over
  std::optional<double> jump;        ///< mean after the step / mean before - 1
};

/// Looks for steady state in a series with one value per second: throughput or TPOT, on issue time, the declared
/// warm-up and the drain already cut off.
///
/// 1. MSER-5 drops the warm-up.
/// 2. A trend: Mann-Kendall p < significance on up to ten equal windows, and |drift| > margin. At least five windows,
///    as four cannot reach p < 0.05.
/// 3. A step: Pettitt p < significance on the samples, and |jump| > margin. Seconds follow each other, so p is taken
///    at n_eff: on a level with 5 % noise and r1 = 0.8, plain p calls 72 % of 300-second runs a
///    staircase, this one 5 %.
/// 4. A step also looks like a trend, and a trend like a step. It is a staircase where two levels beat one line (BIC)
///    and the first is level in itself; else it drifts.
///
/// Where the minimum of MSER-5 stands at half the data: if both halves agree within the margin, the cut was noise and
/// the whole series is judged. Else the whole may be a staircase; else the second half is judged, and if a step is left
/// in it (p taken plainly) the series does not settle in time: over_half.
///
/// Under 40 s the cut often leaves too little, and no verdict comes. O(n log n); a day of seconds takes 20 ms.
SteadyWindow find_steady(std::span<const double> series, const SteadyRule& rule = {});

}  // namespace scoville::stats
