#pragma once

#include <string>
#include <vector>

#include "shim.hpp"

namespace scoville::torch_probe {

/// "cpu", "cuda:1", "xpu", "mps", "hpu", "privateuseone:0", or the name that an out-of-tree backend gave itself.
/// Throws std::invalid_argument with torch's own words for anything else.
c10::Device device_named(const std::string& name);

/// Of one type; 0 where its backend is not linked or finds none. `why_none` gets its words then.
int count_of(c10::DeviceType type, std::string* why_none = nullptr);

/// Every device that this build can reach, the CPU first.
std::vector<c10::Device> all_devices();

/// Returns once all work queued on the device's current stream is done.
void synchronise(const c10::Device& device);

/// Loads the device libraries that lie beside torch's own (CUDA, ROCm, XPU): a backend registers itself when it is
/// loaded. Returns what went wrong, a line each: a library whose vendor runtime is missing is a device that is not
/// there.
std::vector<std::string> load_own_backends();

/// Loads an out-of-tree backend (a shared library that registers itself). Throws std::invalid_argument.
void load_backend(const std::string& library);

}  // namespace scoville::torch_probe
