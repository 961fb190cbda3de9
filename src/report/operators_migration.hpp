#pragma once

#include <string>

#include "report/operators.hpp"

namespace scoville::report {

/// The migration list: what is not supported, by the share of a trace's time that it takes.
json::array migration_json(const OperatorsView& view);
std::string migration_table(const OperatorsView& view);

}  // namespace scoville::report
