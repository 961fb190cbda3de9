#pragma once

#include <optional>
#include <string>

#include "config/node.hpp"

namespace scoville::config {

/// A number that somebody stated, with what they said of it. In a file either bare, or a map:
///
///     wacc: 0.10
///     wacc: {value: 0.10, low: 0.05, high: 0.15, source: owner, date: 2026-08-01}
struct Quantity {
  double value = 0;
  std::optional<double> low, high;  ///< what it may as well be; both or one; low ≤ value ≤ high
  std::string source, date;         ///< who says so, and when; empty: not said
  bool is_default = false;          ///< nobody stated it: `source` and `date` are those of the default
  int line = 0;                     ///< of the file; 0: none

  bool is_uncertain() const { return low || high; }
};

/// Required: a fault where it is missing.
Quantity quantity(const Node& parent, const std::string& key, Range range);
std::optional<Quantity> maybe_quantity(const Node& parent, const std::string& key, Range range);
/// `fallback` where it is missing; it says where it comes from.
Quantity quantity_or(const Node& parent, const std::string& key, Range range, const Quantity& fallback);

}  // namespace scoville::config
