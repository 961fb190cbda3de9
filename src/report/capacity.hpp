#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "probe/capacity.hpp"

namespace scoville::report {

enum class NominalFrom { nobody, given, catalogue, probe };

/// All that `probe capacity` has to say.
struct CapacityView {
  std::string device;
  probe::Capacity capacity;
  std::optional<double> nominal;  ///< bytes that it is held against
  NominalFrom from = NominalFrom::nobody;
  std::string catalogue_id;  ///< where it is from the catalogue
};

/// docs/formats/device-capacity.md.
json::object capacity_json(const CapacityView& view);
/// For a terminal.
std::string capacity_table(const CapacityView& view);

}  // namespace scoville::report
