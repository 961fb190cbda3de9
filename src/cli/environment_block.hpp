#pragma once

#include "environment/command.hpp"

namespace scoville::cli {

/// The variables that this process was started with.
environment::Variables environment_block();

}  // namespace scoville::cli
