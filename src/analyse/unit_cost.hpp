#pragma once

#include <optional>

#include "analyse/throughput.hpp"
#include "base/money.hpp"

namespace scoville::analyse {

/// What the devices cost while they serve.
struct Price {
  Money per_device_hour;
  std::size_t devices = 1;
};

/// Money per million tokens at the rate of one run: the devices' hourly rate alone, all of it used (decision.md 1.3, M1
/// and M2). Nothing of power, people, network, or of hours in which nobody asks.
///
/// The last two carry all of the cost each: they are never added.
struct UnitCost {
  std::string currency;
  std::optional<double> blended;    ///< per million tokens, input and output alike
  std::optional<double> on_output;  ///< per million output tokens, input for nothing
  std::optional<double> on_input;   ///< per million input tokens, output for nothing
};

/// From the rates over the whole run. Unknown or zero rates leave their figure empty.
UnitCost unit_cost(const Price& price, const Throughput& rates);

}  // namespace scoville::analyse
