#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "telemetry/prometheus.hpp"

namespace scoville::telemetry {

/// What a fleet said of itself at one time.
struct Scrape {
  Nanos at{};  ///< since 1970
  std::vector<Sample> samples;
};

/// Samples of one name: with a label of one of these values, where a label is asked for.
struct Selector {
  std::string name, label;
  std::vector<std::string> values;  ///< of the label; a value ending with * stands for all that begin so

  bool takes(const Sample& sample) const;
};

/// How much counters have grown from the first scrape to each of the others: one number a scrape, 0 for the first.
///
/// Each series (name and labels) is followed by itself. One that falls was reset, and grows by what it shows; one that
/// comes later began at 0, as an error class does with its first error; one that goes away keeps what it had. Samples
/// that are no number are left out. Empty where no scrape has such a sample.
std::vector<double> increase(std::span<const Scrape> scrapes, std::span<const Selector> selectors);

/// The same for a histogram's buckets, by upper bound (in seconds; infinity: all).
std::map<double, std::vector<double>> bucket_increase(std::span<const Scrape> scrapes, const Selector& histogram);

}  // namespace scoville::telemetry
