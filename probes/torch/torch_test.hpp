#pragma once

// For tests of files that use torch, behind all other includes: glog, which torch brings, has macros of doctest's
// names.
#include "shim.hpp"

#undef CHECK
#undef CHECK_EQ
#undef CHECK_NE
#undef CHECK_LE
#undef CHECK_LT
#undef CHECK_GE
#undef CHECK_GT
#include <doctest/doctest.h>
