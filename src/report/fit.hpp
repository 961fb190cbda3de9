#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "fit/fit.hpp"

namespace scoville::report {

/// All that `fit` has to say: one model, one question, the answers of one device or of several side by side.
struct FitView {
  std::string path;  ///< as it was given
  fit::ModelShape shape;
  std::vector<fit::Answer> answers;  ///< not empty
};

/// docs/formats/fit.md.
json::object fit_json(const FitView& view);

/// For a terminal: a column a device, a row a figure, then what is not known and who said what.
std::string fit_table(const FitView& view);

/// The catalogue: docs/formats/devices.md.
json::object devices_json(const fit::Catalogue& catalogue);
std::string devices_table(const fit::Catalogue& catalogue);

/// A device with its figures, each with its source.
json::object device_json(const fit::Device& device);

/// "80 GB", "3.35 TB/s"; "unknown" where nobody says.
std::string bytes_text(std::optional<double> bytes);
std::string bandwidth_text(std::optional<double> bytes_per_second);

}  // namespace scoville::report
