#include "cli/stored_calibration.hpp"

#include "cli/machine_key.hpp"

namespace scoville::cli {

using text::Msg;
using text::say;

Result<analyse::Calibration> newest_calibration(const store::RunStore& store) {
  const Result<json::value> body = store.calibration(machine_key());
  if (!body) return body.error();
  if (body->is_null()) return Error{ErrorCode::not_found, say(Msg::calibrate_none, store.path())};
  return analyse::calibration_from(*body);
}

std::shared_ptr<const analyse::Calibration> stored_calibration(const store::RunStore* open,
                                                               const StoreOptions& options) {
  const auto newest = [](const store::RunStore& store) -> std::shared_ptr<const analyse::Calibration> {
    Result<analyse::Calibration> found = newest_calibration(store);
    return found ? std::make_shared<const analyse::Calibration>(std::move(*found)) : nullptr;
  };
  if (open) return newest(*open);
  const Result<store::RunStore> store = options.open_for_reading();
  return store ? newest(*store) : nullptr;
}

}  // namespace scoville::cli
