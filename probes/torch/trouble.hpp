#pragma once

#include <stdexcept>

#include "probe/reason.hpp"

namespace scoville::torch_probe {

/// A failure whose reason is known where it is seen; explain() hands it on as it is.
class Trouble : public std::runtime_error {
 public:
  Trouble(probe::Reason reason, const std::string& message) : std::runtime_error(message), reason_(reason) {}
  probe::Reason reason() const { return reason_; }

 private:
  probe::Reason reason_;
};

}  // namespace scoville::torch_probe
