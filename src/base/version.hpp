#pragma once

namespace scoville {

/// Version of the product, e.g. "0.1.0".
const char* version();
/// Revision of the source it was built from, "-dirty" appended where files had been changed; "unknown" outside git.
const char* revision();
/// Compiler and build type.
const char* compiler();

/// Raised by one whenever the same run could be given other numbers: a changed definition, window, or rule.
/// docs/method.md is written for this version.
inline constexpr int kMethodVersion = 3;

}  // namespace scoville
