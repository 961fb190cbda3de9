#include "report/operators.hpp"
