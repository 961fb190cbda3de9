#include "about.hpp"

#include <string>

#include "cores.hpp"
#include "devices.hpp"
#include "runtime.hpp"
#include "stack.hpp"
#include "tensors.hpp"

namespace scoville::torch_probe {
namespace {

template <class Value>
json::value or_null(const std::optional<Value>& value) {
  return value ? json::value(*value) : json::value();
}

json::object about(const c10::Device& device) {
  const DeviceFacts facts = facts_of(device);
  json::value memory;
  if (facts.memory) memory = static_cast<std::int64_t>(*facts.memory);
  return {{"id", device.str()},          {"kind", device.is_cpu() ? "cpu" : "accelerator"},
          {"name", or_null(facts.name)}, {"vendor", or_null(facts.vendor)},
          {"pci", or_null(facts.pci)},   {"memory_bytes", memory}};
}

/// Those that this build has a type for; whether a device multiplies in them is what `gemm` finds out.
json::array dtypes() {
  json::array names{"fp64", "fp32", "tf32", "fp16", "bf16"};
  if (kFloat8E4m3) names.insert(names.end(), {"fp8_e4m3", "fp8_e5m2"});
  names.emplace_back("int8");
  return names;
}

}  // namespace

void use_threads(int threads) {
  const int count = threads > 0 ? threads : cores().count;
  at::set_num_threads(count);
  use_blas_threads(count);
}

json::object describe() {
  json::array devices;
  for (const c10::Device& device : all_devices()) devices.push_back(about(device));
  return {{"probe", "scoville-torch"},     {"version", SCOVILLE_VERSION}, {"stack", stack()},
          {"devices", std::move(devices)}, {"dtypes", dtypes()},          {"threads", at::get_num_threads()},
          {"threads_of", cores().from}};
}

}  // namespace scoville::torch_probe
