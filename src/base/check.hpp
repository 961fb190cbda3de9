#pragma once

namespace scoville {

/// Prints place and claim to standard error and aborts. Only for our own bugs: see CONTRIBUTING.md, "Errors".
[[noreturn]] void check_failed(const char* condition, const char* claim, const char* file, int line);

}  // namespace scoville

/// Holds in every build. `claim` says what must be true, for whoever reads the abort message.
#define SCOVILLE_CHECK(condition, claim) \
  (static_cast<bool>(condition) ? void(0) : ::scoville::check_failed(#condition, claim, __FILE__, __LINE__))
