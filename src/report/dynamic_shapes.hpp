#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "probe/dynamic_shapes.hpp"

namespace scoville::report {

/// All that `probe dynamic-shapes` has to say.
struct DynamicShapesView {
  std::string device, preset, dtype;      ///< of a device; empty: a server was asked
  std::string url, model;                 ///< of a server
  std::vector<probe::LengthTimes> times;  ///< nanoseconds, in the order in which they were asked for
  probe::ShapeFinding finding;
  std::vector<std::string> warnings;
};

/// docs/formats/shapes.md.
json::object dynamic_shapes_json(const DynamicShapesView& view);
/// For a terminal.
std::string dynamic_shapes_table(const DynamicShapesView& view);

}  // namespace scoville::report
