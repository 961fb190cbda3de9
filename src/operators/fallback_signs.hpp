#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace scoville::operators {

/// data/fallback_switches.yaml: how it shows that an operator is computed on the CPU.
struct FallbackSigns {
  struct Switch {
    std::string name, strict, lenient, backend;  ///< empty: not set
  };
  std::vector<Switch> switches;
  std::vector<std::string> warnings;  ///< parts of what backends warn of
};

const FallbackSigns& built_in_fallback_signs();
Result<FallbackSigns> parse_fallback_signs(const std::string& yaml, const std::string& where);

}  // namespace scoville::operators
