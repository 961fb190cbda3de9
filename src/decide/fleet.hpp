#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "telemetry/increase.hpp"

namespace scoville::decide {

/// Latencies that engines show as a histogram of one observation a request.
enum class FleetLatency { ttft, tpot, e2e };
std::string_view name_of(FleetLatency latency);
std::optional<FleetLatency> fleet_latency(std::string_view name);

/// Which metrics of an engine stand for what: data/metric_aliases.yaml.
struct MetricAliases {
  struct Failed {
    telemetry::Selector selector;
    bool absent_is_zero = false;  ///< its family alone, without such a label, means that there was none
  };
  struct Way {
    std::string engine;
    std::vector<telemetry::Selector> requests;  ///< the first makes the way; the others are added where they are
    std::vector<Failed> failed;
  };
  std::vector<Way> ways;
  std::map<FleetLatency, std::vector<telemetry::Selector>> latencies;
};

/// Those that are built in, and those of a user's file, which go first. `yaml` empty: the built-in ones alone.
Result<MetricAliases> read_aliases(const std::string& yaml = "", const std::string& where = "");

/// What a fleet has done since its first scrape, scrape by scrape; all counts grow.
struct FleetSeries {
  std::vector<Nanos> at;                                                  ///< since 1970
  std::vector<double> requests;                                           ///< that ended
  std::optional<std::vector<double>> failed;                              ///< empty: its metrics do not say
  std::map<FleetLatency, std::map<double, std::vector<double>>> buckets;  ///< cumulative, by upper bound in seconds

  std::size_t size() const { return at.size(); }
  Nanos seen() const { return at.empty() ? Nanos{} : at.back() - at.front(); }
};

/// Two fleets read by the same metrics.
struct FleetPair {
  std::string engine;
  FleetSeries base, candidate;
  std::map<FleetLatency, std::string> names;  ///< of the histograms used
};

/// The first way that both show. An error where there is none, or where a side has fewer than two scrapes.
Result<FleetPair> read_fleets(std::span<const telemetry::Scrape> base, std::span<const telemetry::Scrape> candidate,
                              const MetricAliases& aliases);

/// How many of the first `upto` + 1 scrapes' requests lay above a limit: exactly where it is a bucket's bound, else
/// between the bounds around it. Requests that failed are above it.
struct Misses {
  double low = 0, high = 0, trials = 0;
  bool is_exact() const { return low == high; }
};
std::optional<Misses> misses(const FleetSeries& fleet, FleetLatency latency, Nanos limit, std::size_t from,
                             std::size_t upto);

}  // namespace scoville::decide
