#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "fit/devices.hpp"
#include "probe/survey.hpp"

namespace scoville::report {

/// All that `probe device` has to say: what was found, and what the catalogue says of that device.
struct DeviceView {
  probe::Survey survey;
  std::optional<fit::Device> catalogued;  ///< empty: not in it, or the probe does not tell what it is
};

/// docs/formats/device.md.
json::object device_json(const DeviceView& view);

/// For a terminal, at most 100 columns: a table a part, what is missing, what its marks mean.
std::string device_table(const DeviceView& view);

/// The dense peak that the catalogue has for a type, in operations per second.
std::optional<double> catalogue_peak(const std::optional<fit::Device>& device, std::string_view dtype);

}  // namespace scoville::report
