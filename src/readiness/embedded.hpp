#pragma once

namespace scoville::readiness {

/// data/readiness_tools.yaml
const char* embedded_tools();

}  // namespace scoville::readiness
