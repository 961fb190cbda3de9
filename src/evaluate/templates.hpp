#pragma once

#include <string>

#include "evaluate/plan.hpp"
#include "text/catalogue.hpp"

namespace scoville::evaluate {

/// The shortest plan for who decides (data/evaluations), these two addresses in their places, its comments in that
/// language.
std::string plan_template(Who who, text::Language language, const std::string& baseline, const std::string& candidate);

}  // namespace scoville::evaluate
