#pragma once

#include <optional>
#include <string>

#include "analyse/analysis.hpp"
#include "analyse/unit_cost.hpp"

namespace scoville::report {

// Cells of a table on a terminal.

inline constexpr const char* kNone = "–";

/// Four digits; whole from 1000 on.
std::string number(std::optional<double> value);
/// "50.1 ms".
std::string span(std::optional<Nanos> value);
/// The same; "> 8.00 s" where only a lower bound is known.
std::string span(std::optional<Nanos> value, std::optional<Nanos> at_least);
/// "50.1 ms", with "*" where too few samples support it, ">" where requests were given up before it.
std::string cell(const analyse::Quantile* quantile);
/// Wall clock, since 1970: "2026-11-30T10:15:30Z".
std::string utc(Nanos wall);
/// The name of its row: "TTFT  first token".
std::string latency_name(analyse::Latency which);
std::string verdict_name(analyse::Verdict verdict);

/// The sixth figure in words; without a price, that there is none.
std::string cost_value(const std::optional<analyse::Price>& price, const analyse::Throughput& rates);

/// Columns of a report's sentences.
inline constexpr std::size_t kLineWidth = 120;

}  // namespace scoville::report
