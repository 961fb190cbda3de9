#pragma once

#include <string>
#include <vector>

#include "store/run_store.hpp"

namespace scoville::cli {

/// The report of a stored sweep, or of stored lengths, from its runs as this version analyses them. `name`: the set's
/// id, or "last". `at` empty: tokens/s of a user as it was asked for then.
Result<std::string> show_sweep(const store::RunStore& store, const std::string& name, const std::vector<double>& at,
                               bool as_json);

}  // namespace scoville::cli
