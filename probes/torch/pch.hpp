#pragma once

// Read once by the compiler instead of for each file: torch's headers take most of its time.
#include "shim.hpp"

#include "base/json.hpp"
