#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace scoville::telemetry {

struct Label {
  std::string name, value;
  friend bool operator==(const Label&, const Label&) = default;
};

/// One observation that stands for others (OpenMetrics): mostly the trace that fell into a bucket.
struct Exemplar {
  std::vector<Label> labels;
  double value = 0;
  std::optional<Nanos> at;  ///< since 1970
};

struct Sample {
  std::string name;
  std::vector<Label> labels;
  double value = 0;         ///< may be NaN or infinite
  std::optional<Nanos> at;  ///< since 1970; empty: when it was asked
  std::optional<Exemplar> exemplar;

  /// "" where there is no such label: the format makes no difference between the two.
  std::string_view label(std::string_view label_name) const;
  /// Has all of `wanted`, perhaps more.
  bool has(std::span<const Label> wanted) const;
};

/// What # TYPE, # HELP and # UNIT say of a name; "" where they say nothing.
struct Family {
  std::string name, type, help, unit;
};

enum class Fault { name, labels, value, timestamp, exemplar, comment, after_end };
std::string_view name_of(Fault fault);

struct BadLine {
  std::size_t line = 0;  ///< from 1
  Fault fault = Fault::name;
};

/// An answer of /metrics.
struct Exposition {
  std::vector<Sample> samples;   ///< in the order of the text
  std::vector<Family> families;  ///< likewise
  std::vector<BadLine> bad;      ///< the first kMaxBadLines of them
  std::size_t bad_count = 0;     ///< all of them
  bool is_openmetrics = false;   ///< ended by "# EOF"
  static constexpr std::size_t kMaxBadLines = 32;

  /// The first sample of this name that has all of `wanted`; null if there is none.
  const Sample* find(std::string_view name, std::span<const Label> wanted = {}) const;
  /// The sum over all such samples (a counter over its label values); empty if there is none.
  std::optional<double> sum(std::string_view name, std::span<const Label> wanted = {}) const;
  /// What is said of `name`; for a histogram's or counter's own samples the family without _bucket, _sum, _total….
  const Family* family(std::string_view name) const;
  bool has_prefix(std::string_view prefix) const;
};

/// Reads the Prometheus text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats), the quoted names of
/// its later versions, and OpenMetrics 1.0.
///
/// Never fails: a line that cannot be read is counted and left out. A timestamp is in milliseconds, or in seconds where
/// the text ends with "# EOF" and so is OpenMetrics.
Exposition parse_exposition(std::string_view text);

}  // namespace scoville::telemetry
