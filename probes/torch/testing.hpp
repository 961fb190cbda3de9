#pragma once

// Torch's logging and doctest name some macros alike; in a test those of doctest are meant.
#include "shim.hpp"

#undef CHECK
#undef CHECK_EQ
#undef CHECK_NE
#undef CHECK_LT
#undef CHECK_LE
#undef CHECK_GT
#undef CHECK_GE

#include <doctest/doctest.h>
