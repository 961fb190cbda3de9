#include "devices.hpp"

#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <stdexcept>

namespace scoville::torch_probe {
namespace {

constexpr std::array kTypes{c10::DeviceType::CPU,        c10::DeviceType::CUDA, c10::DeviceType::XPU,
                            c10::DeviceType::MPS,        c10::DeviceType::HPU,  c10::DeviceType::XLA,
                            c10::DeviceType::PrivateUse1};

/// Torch's first sentence: what follows it are stack frames.
std::string first_line(const char* words) {
  const std::string all(words);
  return all.substr(0, all.find('\n'));
}

}  // namespace

c10::Device device_named(const std::string& name) {
  try {
    return c10::Device(name.empty() ? "cpu" : name);
  } catch (const std::exception& wrong) {
    throw std::invalid_argument(first_line(wrong.what()));
  }
}

int count_of(c10::DeviceType type, std::string* why_none) {
  if (type == c10::DeviceType::CPU) return 1;
  try {
    return c10::impl::VirtualGuardImpl(type).deviceCount();
  } catch (const std::exception& wrong) {
    if (why_none) *why_none = first_line(wrong.what());
    return 0;
  }
}

std::vector<c10::Device> all_devices() {
  std::vector<c10::Device> all;
  for (const c10::DeviceType type : kTypes) {
    const int count = count_of(type);
    for (int i = 0; i < count; ++i) {
      all.emplace_back(type, type == c10::DeviceType::CPU ? c10::DeviceIndex(-1) : static_cast<c10::DeviceIndex>(i));
    }
  }
  return all;
}

void synchronise(const c10::Device& device) {
  if (device.is_cpu()) return;
  c10::impl::VirtualGuardImpl(device.type()).getStream(device).synchronize();
}

std::vector<std::string> load_own_backends() {
  std::vector<std::string> failures;
  Dl_info where{};
  // Any symbol of libtorch_cpu says where it lies.
  if (dladdr(reinterpret_cast<void*>(&at::get_num_threads), &where) == 0 || !where.dli_fname) return failures;
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::canonical(where.dli_fname, failed).parent_path();
  for (const char* name : {"libtorch_cuda.so", "libtorch_hip.so", "libtorch_xpu.so"}) {
    const std::string path = (folder / name).string();
    if (!std::filesystem::exists(path, failed)) continue;
    if (!dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) failures.emplace_back(dlerror());
  }
  return failures;
}

void load_backend(const std::string& library) {
  if (!dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL)) throw std::invalid_argument(dlerror());
}

}  // namespace scoville::torch_probe
