#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace scoville {

void check_failed(const char* condition, const char* claim, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal error: %s (%s)\n", file, line, claim, condition);
  std::abort();
}

}  // namespace scoville
