#pragma once

#include <optional>

#include "analyse/unit_cost.hpp"
#include "cli/parameter.hpp"

namespace scoville::cli {

/// The flags that say what the devices cost.
class PriceOptions {
 public:
  void declare(Parameters& parameters);
  /// An error where one of the two flags stands alone: what is missing is asked for, never guessed.
  Status settle() const;
  std::optional<analyse::Price> price() const;

 private:
  std::optional<Money> per_device_hour_;
  std::size_t devices_ = 0;
};

}  // namespace scoville::cli
