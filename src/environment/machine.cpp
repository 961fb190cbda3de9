#include <fmt/format.h>

#include <array>
#include <set>

#include "environment/areas.hpp"

namespace scoville::environment {
namespace {

/// What firmware tables say of themselves under the hypervisors they belong to.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kHypervisors{{
    {"QEMU", "kvm"},
    {"KVM", "kvm"},
    {"Amazon EC2", "nitro"},
    {"Google Compute Engine", "kvm"},
    {"VMware", "vmware"},
    {"VirtualBox", "virtualbox"},
    {"Virtual Machine", "hyper-v"},
    {"Xen", "xen"},
    {"Alibaba Cloud ECS", "kvm"},
    {"OpenStack", "kvm"},
    {"Firecracker", "firecracker"},
}};

void add_hypervisor(const Root& root, event::Fingerprint& print) {
  const Content type = root.read("/sys/hypervisor/type");
  if (type.ok() && !type.text.empty()) {
    return print.add("machine.hypervisor", json::string(type.text), "/sys/hypervisor/type");
  }
  const std::string said = print.text("machine.vendor") + " " + print.text("machine.product");
  for (const auto& [word, name] : kHypervisors) {
    if (print.text("machine.virtualised") != "false" && said.find(word) != std::string::npos) {
      return print.add("machine.hypervisor", json::string(name), "/sys/class/dmi/id");
    }
  }
  print.miss("machine.hypervisor", event::FieldStatus::absent, "/sys/hypervisor/type, /sys/class/dmi/id");
}

void add_iommu(const Root& root, event::Fingerprint& print) {
  const std::vector<std::string> units = root.list("/sys/class/iommu");
  print.add("machine.iommu.units", units.size(), "/sys/class/iommu");
  std::set<std::string> types;
  for (const std::string& path : root.match("/sys/kernel/iommu_groups/*/type")) types.insert(root.read(path).text);
  if (types.empty()) return print.miss("machine.iommu.domains", event::FieldStatus::absent, "/sys/kernel/iommu_groups");
  json::array names;
  for (const std::string& each : types) names.emplace_back(each);
  print.add("machine.iommu.domains", std::move(names), "/sys/kernel/iommu_groups/*/type");
}

}  // namespace

void collect_machine(const Root& root, event::Fingerprint& print) {
  add_file(print, root, "machine.vendor", "/sys/class/dmi/id/sys_vendor");
  add_file(print, root, "machine.product", "/sys/class/dmi/id/product_name");
  add_file(print, root, "machine.bios", "/sys/class/dmi/id/bios_version");
  add_file(print, root, "machine.serial", "/sys/class/dmi/id/product_serial", false);
  add_hypervisor(root, print);
  add_iommu(root, print);
}

}  // namespace scoville::environment
