#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "shim.hpp"

namespace scoville::torch_probe {

/// What a vendor's own runtime says of a device, asked by name: no header of any vendor is needed to build this, and
/// whatever is not there stays empty.
struct DeviceFacts {
  std::optional<std::string> name, vendor;
  std::optional<std::string> pci;  ///< "10de:2335"
  std::optional<double> memory;    ///< bytes in all
};
DeviceFacts facts_of(const c10::Device& device);

/// Bytes that the device's runtime has left to give, where it tells.
std::optional<double> free_memory(const c10::Device& device);

/// Makes torch's cache give back what it holds. False: it may not have.
bool empty_cache(const c10::Device& device);

}  // namespace scoville::torch_probe
