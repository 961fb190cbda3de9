#pragma once

#include "decide/fingerprint_groups.hpp"

namespace scoville::decide {

/// Whether both arms serve the same model. Equal weights are one model whatever it is called. Different weights are one
/// model in two precisions where one is derived from the other, or both from the same, by what their publishers say:
/// then the precision rule decides. Names alone prove no equality, as a name may move; names that differ are different.
Reading read_model(const Setup& base, const Setup& candidate);

/// Whether the weights are known to differ, and to be of one origin.
bool is_other_precision_of(const Setup& base, const Setup& candidate);

}  // namespace scoville::decide
