#include "runtime.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "cores.hpp"
#include "devices.hpp"

namespace scoville::torch_probe {
namespace {

template <class Function>
Function symbol(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

/// Names of the same calls in the two runtimes behind torch's "cuda"; both take (where to, length, device).
struct Runtime {
  const char *name_of, *pci_of, *memory_of, *free_of;
};
constexpr std::array kRuntimes{
    Runtime{"hipDeviceGetName", "hipDeviceGetPCIBusId", "hipDeviceTotalMem", "hipMemGetInfo"},
    Runtime{"cuDeviceGetName", "cuDeviceGetPCIBusId", "cuDeviceTotalMem_v2", "cudaMemGetInfo"},
};

struct Vendor {
  std::string_view id, name;
};
constexpr std::array kVendors{
    Vendor{"10de", "nvidia"},     Vendor{"1002", "amd"},   Vendor{"8086", "intel"},       Vendor{"1da3", "habana"},
    Vendor{"19e5", "huawei"},     Vendor{"1d94", "hygon"}, Vendor{"1ed5", "mthreads"},    Vendor{"1e36", "enflame"},
    Vendor{"1d22", "kunlunxin"},  Vendor{"1d0f", "aws"},   Vendor{"cabc", "cambricon"},   Vendor{"9999", "metax"},
    Vendor{"1e3e", "iluvatar"},   Vendor{"1ded", "thead"}, Vendor{"1e52", "tenstorrent"}, Vendor{"1ee0", "biren"},
    Vendor{"1eff", "rebellions"},
};

std::string word_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

/// "0x10de" → "10de".
std::string hexadecimal(const std::string& word) { return word.rfind("0x", 0) == 0 ? word.substr(2) : word; }

std::optional<std::string> identity(const std::filesystem::path& folder) {
  const std::string vendor = hexadecimal(word_in(folder / "vendor")), device = hexadecimal(word_in(folder / "device"));
  if (vendor.empty() || device.empty()) return std::nullopt;
  return vendor + ":" + device;
}

/// The one identity that all accelerators of this machine share: then an index cannot point to another.
std::optional<std::string> only_identity() {
  std::optional<std::string> only;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/bus/pci/devices", failed)) {
    const std::string kind = hexadecimal(word_in(entry.path() / "class"));
    if (kind.rfind("03", 0) != 0 && kind.rfind("12", 0) != 0 && kind.rfind("0b40", 0) != 0) continue;
    const auto found = identity(entry.path());
    const bool is_known =
        found && std::ranges::any_of(kVendors, [&](const Vendor& v) { return found->rfind(v.id, 0) == 0; });
    if (!is_known) continue;
    if (only && *only != *found) return std::nullopt;
    only = found;
  }
  return only;
}

std::optional<std::string> identity_at(std::string address) {
  std::ranges::transform(address, address.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return identity(std::filesystem::path("/sys/bus/pci/devices") / address);
}

void ask(const Runtime& runtime, int index, DeviceFacts& facts) {
  std::array<char, 256> text{};
  if (const auto call = symbol<int (*)(char*, int, int)>(runtime.name_of); call && call(text.data(), 255, index) == 0) {
    facts.name = text.data();
  }
  text.fill(0);
  if (const auto call = symbol<int (*)(char*, int, int)>(runtime.pci_of); call && call(text.data(), 255, index) == 0) {
    facts.pci = identity_at(text.data());
  }
  std::size_t bytes = 0;
  if (const auto call = symbol<int (*)(std::size_t*, int)>(runtime.memory_of); call && call(&bytes, index) == 0) {
    facts.memory = static_cast<double>(bytes);
  }
}

std::optional<std::string> processor_name() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos && line.rfind("model name", 0) == 0) return line.substr(colon + 2);
  }
  return std::nullopt;
}

DeviceFacts facts_of_processor() {
  DeviceFacts facts;
  facts.name = processor_name();
  if (const double bytes = host_memory(); bytes > 0) facts.memory = bytes;
  if (facts.name && facts.name->find("AMD") != std::string::npos) facts.vendor = "amd";
  if (facts.name && facts.name->find("Intel") != std::string::npos) facts.vendor = "intel";
  return facts;
}

}  // namespace

DeviceFacts facts_of(const c10::Device& device) {
  if (device.is_cpu()) return facts_of_processor();
  DeviceFacts facts;
  if (device.is_cuda()) {
    // The driver's library is loaded by torch's runtime on its own terms; asked for by name it is the same one.
    dlopen("libcuda.so.1", RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
    dlopen("libamdhip64.so", RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
    for (const Runtime& runtime : kRuntimes) {
      if (!facts.name) ask(runtime, std::max<int>(0, device.index()), facts);
    }
  }
  if (!facts.pci) facts.pci = only_identity();
  for (const Vendor& vendor : kVendors) {
    if (facts.pci && facts.pci->rfind(vendor.id, 0) == 0) facts.vendor = vendor.name;
  }
  return facts;
}

std::optional<double> free_memory(const c10::Device& device) {
  if (device.is_cpu()) return memory_room().bytes;
  if (!device.is_cuda()) return std::nullopt;
  const c10::impl::VirtualGuardImpl guard(device.type());
  guard.setDevice(c10::Device(device.type(), std::max<c10::DeviceIndex>(0, device.index())));
  for (const Runtime& runtime : kRuntimes) {
    std::size_t left = 0, all = 0;
    const auto call = symbol<int (*)(std::size_t*, std::size_t*)>(runtime.free_of);
    if (call && call(&left, &all) == 0) return static_cast<double>(left);
  }
  return std::nullopt;
}

bool empty_cache(const c10::Device& device) {
  if (device.is_cpu()) return true;  // its allocator keeps nothing
  for (const char* name :
       {"_ZN3c104cuda20CUDACachingAllocator10emptyCacheEv", "_ZN3c103hip19HIPCachingAllocator10emptyCacheEv",
        "_ZN3c103xpu19XPUCachingAllocator10emptyCacheEv"}) {
    if (const auto call = symbol<void (*)()>(name)) {
      call();
      return true;
    }
  }
  try {
    // What caching allocators of every vendor do before they say that there is no memory: they give back what they
    // hold.
    at::empty({std::int64_t{1} << 46}, at::TensorOptions().dtype(at::kByte).device(device));
  } catch (const std::exception&) {
    return true;
  }
  return false;
}

}  // namespace scoville::torch_probe
