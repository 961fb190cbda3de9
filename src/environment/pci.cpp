#include <fmt/format.h>

#include <set>

#include "environment/areas.hpp"

namespace scoville::environment {
namespace {

struct Device {
  std::string address, folder, vendor_id, device_id, class_code;
};

/// "0x19e5" as "19e5".
std::string digits(const Root& root, const std::string& path) {
  const Content content = root.read(path);
  return content.text.starts_with("0x") ? lower(std::string_view(content.text).substr(2)) : "";
}

std::vector<Device> devices_of(const Root& root) {
  std::vector<Device> out;
  for (const std::string& address : root.list("/sys/bus/pci/devices")) {
    Device device{address, "/sys/bus/pci/devices/" + address, "", "", ""};
    device.vendor_id = digits(root, device.folder + "/vendor");
    device.device_id = digits(root, device.folder + "/device");
    device.class_code = digits(root, device.folder + "/class");
    if (!device.vendor_id.empty() && !device.device_id.empty()) out.push_back(std::move(device));
  }
  return out;
}

/// Our own file first, then pci.ids; the field's source says which, and how sure it is.
void add_name(const Device& device, const PciNames& names, const std::string& key, event::Fingerprint& print) {
  const auto add = [&](const PciEntry& entry, const std::string& name) {
    print.add(key + ".name", json::string(name),
              fmt::format("data/pci_accelerators.yaml ({}; confidence {})", entry.source, entry.confidence));
  };
  if (const PciEntry* entry = names.device(device.vendor_id, device.device_id)) return add(*entry, entry->name);
  const SystemPciName system = system_pci_name(device.vendor_id, device.device_id);
  if (!system.device.empty()) {
    return print.add(key + ".name", json::string(fmt::format("{} {}", system.vendor, system.device)), "pci.ids");
  }
  if (const PciEntry* entry = names.vendor(device.vendor_id)) return add(*entry, entry->name);
  if (!system.vendor.empty()) return print.add(key + ".name", json::string(system.vendor), "pci.ids");
  print.miss(key + ".name", event::FieldStatus::absent, "data/pci_accelerators.yaml, pci.ids");
}

void add_device(const Root& root, const Device& device, const PciNames& names, const std::string& key,
                event::Fingerprint& print) {
  print.add(key + ".pci_id", json::string(fmt::format("{}:{}", device.vendor_id, device.device_id)), device.folder);
  print.add(key + ".address", json::string(device.address), device.folder, false);
  const PciEntry* const vendor = names.vendor(device.vendor_id);
  const PciEntry* const known = names.device(device.vendor_id, device.device_id);
  print.add(key + ".vendor",
            json::string(known    ? known->vendor
                         : vendor ? vendor->vendor
                                  : device.vendor_id),
            device.folder + "/vendor");
  add_name(device, names, key, print);
  const std::string driver = root.link_name(device.folder + "/driver");
  if (driver.empty()) {
    print.miss(key + ".driver", event::FieldStatus::absent, device.folder + "/driver");
  } else {
    print.add(key + ".driver", json::string(driver), device.folder + "/driver");
  }
  add_file(print, root, key + ".link_speed_max", device.folder + "/max_link_speed");
  add_file(print, root, key + ".link_width_max", device.folder + "/max_link_width");
  add_file(print, root, key + ".link_width", device.folder + "/current_link_width");
  add_file(print, root, key + ".link_speed", device.folder + "/current_link_speed", false);  // falls when idle
  add_file(print, root, key + ".numa_node", device.folder + "/numa_node");
}

}  // namespace

void collect_pci(const Root& root, const PciNames& names, event::Fingerprint& print) {
  const std::string source = "/sys/bus/pci/devices";
  if (!root.has(source)) {
    print.miss("pci.accelerators", event::FieldStatus::absent, source);
    return print.miss("pci.nics", event::FieldStatus::absent, source);
  }
  std::size_t accelerators = 0, nics = 0;
  for (const Device& device : devices_of(root)) {
    if (names.is_accelerator(device.vendor_id, device.device_id, device.class_code)) {
      add_device(root, device, names, fmt::format("pci.accelerator.{}", accelerators++), print);
    } else if (device.class_code.starts_with("02")) {
      add_device(root, device, names, fmt::format("pci.nic.{}", nics++), print);
    }
  }
  print.add("pci.accelerators", accelerators, source);
  print.add("pci.nics", nics, source);
}

}  // namespace scoville::environment
