#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/quantity.hpp"

namespace scoville::cost {

/// Stored runs that say how fast an option is: `perf: {from_result: SET, point: SLO}`.
struct PerfLink {
  std::string set;
  std::string point;  ///< limits in the words of --goodput ("ttft:500 tpot:50"), or "any"
};

/// Tokens per second of one accelerator, input and output at once, that were measured at one mix of the two.
struct Mix {
  double in_per_s = 0, out_per_s = 0;
};

/// How fast one accelerator is at the point that meets the SLO.
struct Perf {
  std::optional<PerfLink> link;
  config::Quantity out_per_s, in_per_s;  ///< tokens/s; low and high: the interval of the measurement. 0: not known
  bool has_in_per_s = false;             ///< an accelerator that reads nothing is not one of which nothing is known
  std::optional<config::Quantity> cached_share;  ///< of input tokens
  std::optional<std::size_t> devices;            ///< accelerators behind the stored runs

  // What splits the cost between input and output (attribution.hpp).
  std::vector<Mix> mixes;
  std::optional<Mix> phase_rates;       ///< of an accelerator that does only the one, only the other
  std::optional<double> prefill_share;  ///< of accelerator-seconds, 0 to 1

  /// A volume that was really served, in place of rates and utilisation: Mtok/year of the whole fleet.
  std::optional<double> served_out, served_in;

  std::size_t runs = 0;  ///< that the figures are medians of; 0: somebody stated them
};

}  // namespace scoville::cost
