#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.hpp"

namespace scoville::probe {

/// What a device gave when it was asked for all of its memory (docs/formats/device-capacity.md). Bytes.
struct Capacity {
  std::optional<std::int64_t> nominal, free_before;  ///< by the device's own word
  std::int64_t largest_single = 0, total = 0;
  std::int64_t pieces = 0;
  std::string limit;  ///< what ended it: "allocator", "cgroup", "host", "asked"
};

/// From the result of `capacity`; nullopt where the two figures that it is about are missing.
std::optional<Capacity> read_capacity(const json::object& result);

}  // namespace scoville::probe
