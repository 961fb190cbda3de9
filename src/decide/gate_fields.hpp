#pragma once

#include <functional>
#include <vector>

#include "decide/fingerprint_groups.hpp"
#include "decide/gate.hpp"

namespace scoville::decide {

/// How one field is read on both sides.
struct FieldRule {
  const char* key;
  FieldClass field_class;
  std::function<Reading(const Arm& base, const Arm& candidate)> read;
};

/// All but those of the runs themselves (validity.hpp) and the accuracy that differing precisions need.
const std::vector<FieldRule>& field_rules();

}  // namespace scoville::decide
