#pragma once

#include <optional>

#include "analyse/unit_cost.hpp"
#include "cli/parameter.hpp"

namespace scoville::cli {

/// The flags that say how many devices worked, and what they cost.
class PriceOptions {
 public:
  void declare(Parameters& parameters);
  /// An error for a price without a number of devices: what is missing is asked for, never guessed.
  Status settle() const;
  std::optional<analyse::Price> price() const;
  const std::optional<Money>& per_device_hour() const { return per_device_hour_; }
  std::size_t devices() const { return devices_; }  ///< 0: not said

 private:
  std::optional<Money> per_device_hour_;
  std::size_t devices_ = 0;
};

}  // namespace scoville::cli
