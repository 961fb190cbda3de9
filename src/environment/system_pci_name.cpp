#include <charconv>
#include <cstdarg>
#include <memory>

#include "environment/pci_names.hpp"

extern "C" {
#include <pci/pci.h>
}

namespace scoville::environment {
namespace {

/// libpci's own would end the process or print. Looking a name up neither scans nor fails, so this is never called with
/// anything that matters.
void say_nothing(char*, ...) {}

unsigned hex(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

std::string look_up(pci_access& access, int what, unsigned vendor, unsigned device) {
  char name[256];
  const int flags = what | PCI_LOOKUP_NO_NUMBERS | PCI_LOOKUP_NO_HWDB;
  const char* const found = what == PCI_LOOKUP_VENDOR
                                ? pci_lookup_name(&access, name, sizeof name, flags, vendor)
                                : pci_lookup_name(&access, name, sizeof name, flags, vendor, device);
  return found ? found : "";
}

}  // namespace

SystemPciName system_pci_name(std::string_view vendor_id, std::string_view device_id) {
  // Names are looked up without pci_init(), which would scan the bus a second time and end the process where it cannot.
  static const std::unique_ptr<pci_access, void (*)(pci_access*)> access(pci_alloc(), &pci_free_name_list);
  access->warning = access->debug = &say_nothing;
  const unsigned vendor = hex(vendor_id), device = hex(device_id);
  return {look_up(*access, PCI_LOOKUP_VENDOR, vendor, device), look_up(*access, PCI_LOOKUP_DEVICE, vendor, device)};
}

}  // namespace scoville::environment
