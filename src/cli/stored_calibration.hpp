#pragma once

#include <memory>

#include "analyse/calibration.hpp"
#include "cli/store_options.hpp"

namespace scoville::cli {

/// The newest calibration of this machine; an error where there is none that can be read.
Result<analyse::Calibration> newest_calibration(const store::RunStore& store);

/// The same for who can do without it: null where there is none. `open` null: the store that the options name is looked
/// into, if it is there, and nothing is kept in it.
std::shared_ptr<const analyse::Calibration> stored_calibration(const store::RunStore* open,
                                                               const StoreOptions& options);

}  // namespace scoville::cli
