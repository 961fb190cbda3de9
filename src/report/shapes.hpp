#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "decide/bad_shapes.hpp"

namespace scoville::report {

/// All that `sweep --find-bad-shapes` has to say.
struct ShapesView {
  std::string url, model, run;  ///< run: the stored one
  std::string instrument;       ///< verdict on the client: analyse::name_of
  bool is_client_limited = false;
  std::size_t requests = 0;  ///< of each length, asked for
  double alpha = 0.05;
  std::vector<decide::LengthVerdict> lengths;  ///< ascending
};

/// docs/formats/sweep.md, "Lengths".
json::object shapes_json(const ShapesView& view);
/// For a terminal.
std::string shapes_table(const ShapesView& view);

}  // namespace scoville::report
