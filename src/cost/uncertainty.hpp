#pragma once

#include <optional>

#include "cost/model.hpp"
#include "stats/interval.hpp"

namespace scoville::cost {

/// What the throughput may as well be, relative to its value: 0.87/0.9 … 0.93/0.9.
struct ScaleRange {
  double low = 1, high = 1;
  bool is_known = false;  ///< false: nobody stated an interval
};

enum class Verdict { cheaper, costlier, not_resolved };
inline constexpr std::array<std::string_view, 3> kVerdictNames{"cheaper", "costlier", "not_resolved"};

/// Money a year that an option saves against the first one, at the model's demand.
struct Saving {
  double value = 0;
  stats::Interval interval;   ///< over the corners of both throughput intervals
  bool has_interval = false;  ///< false: no throughput came with an interval, and nothing says how sure this is
  Verdict verdict = Verdict::not_resolved;
  double ratio = 0;                        ///< of the throughputs, option ÷ first; 0 where one is an API
  std::optional<double> ratio_needed;      ///< at which both cost the same (break_even_ratio)
  std::optional<double> precision_needed;  ///< relative: as well the ratio must be known for one sign
};

/// `ranges`: one for each option. The sign decides the verdict where both ends of the interval share it.
Saving saving_of(const Model& model, std::size_t option, const std::vector<ScaleRange>& ranges);

}  // namespace scoville::cost
