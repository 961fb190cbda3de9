#pragma once

#include <string>
#include <vector>

#include "decide/comparison.hpp"

namespace scoville::report {

// What the table of a comparison is made of, in the language spoken.

/// "TPOT P95", "output tokens/s".
std::string title_of(const decide::Metric& metric);
/// "faster"; of no verdict, why.
std::string name_of_verdict(const decide::MetricComparison& metric);

/// The gate of one comparison: what it lets through, with what to be said of it; or what it refuses, and the way out.
std::string gate_lines(const decide::Comparison& comparison);
/// Both sides asked for the same: lengths that differ are then the servers' doing.
bool asks_the_same(const decide::Gate& gate);

/// The one sentence on a declared metric: who, by how much, how sure, and what it speaks of.
std::string closing(const decide::Comparison& comparison, const decide::MetricComparison& metric);

std::string ratio_of(double ratio);                        ///< four digits that count
std::string percent(double share);                         ///< "2.9 %"
std::string joined(const std::vector<std::string>& list);  ///< with commas

}  // namespace scoville::report
