#include "about.hpp"

#include <sched.h>

#include <string>

#include "devices.hpp"

namespace scoville::torch_probe {
namespace {

/// Cores that this process may run on.
int cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

json::object about(const c10::Device& device) {
  return {{"id", device.str()}, {"kind", device.is_cpu() ? "cpu" : "accelerator"},
          {"name", nullptr},    {"vendor", nullptr},
          {"pci", nullptr},     {"memory_bytes", nullptr}};
}

}  // namespace

void use_threads(int threads) { at::set_num_threads(threads > 0 ? threads : cores()); }

json::object describe() {
  json::array devices;
  for (const c10::Device& device : all_devices()) devices.push_back(about(device));
  return {{"probe", "scoville-torch"},
          {"version", SCOVILLE_VERSION},
          {"stack", {{"torch", TORCH_VERSION}, {"abi", _GLIBCXX_USE_CXX11_ABI}}},
          {"devices", std::move(devices)},
          {"threads", at::get_num_threads()}};
}

}  // namespace scoville::torch_probe
