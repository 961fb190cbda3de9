#pragma once

#include <optional>
#include <string>

#include "config/quantity.hpp"
#include "cost/inputs.hpp"

namespace scoville::cost {

/// The currency of the amounts among the defaults.
inline constexpr const char* kDefaultsCurrency = "USD";

/// What data/cost_defaults.yaml (built into the program) says of an input, for an accelerator of that name first.
/// Amounts are in kDefaultsCurrency. Empty: nobody has a public value, and it is asked for.
std::optional<config::Quantity> default_of(const Input& input, const std::string& device);

/// The template of a region, "default" or "cn": what `scoville cost init` writes. Empty: no such region.
std::optional<std::string> study_template(const std::string& region, bool is_chinese);

}  // namespace scoville::cost
