#pragma once

#include "cost/outcome.hpp"

namespace scoville::cost {

/// What a reader has to know of a finished outcome: what does not fit, what is short, what was read across.
void add_notes(const Study& study, Outcome& outcome);

}  // namespace scoville::cost
