#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::environment {

/// What a data file says of a vendor, or of one of its devices.
struct PciEntry {
  std::string vendor;                ///< one word: "huawei"
  std::string name;                  ///< "Ascend 910B (A2)"
  std::vector<std::string> classes;  ///< of a vendor: beginnings of the classes of its accelerators
  std::string source;
  std::string confidence;  ///< high, medium, low
};

/// Which PCI devices are accelerators, and how they are called: data/pci_accelerators.yaml, and files of that shape.
class PciNames {
 public:
  /// The file that this program was built with.
  static const PciNames& embedded();
  /// The error names `where`, the entry and what was expected.
  static Result<PciNames> parse(const std::string& yaml, const std::string& where);

  /// Every entry of `other`, in place of ours of the same id.
  void merge(const PciNames& other);

  const PciEntry* vendor(std::string_view vendor_id) const;
  const PciEntry* device(std::string_view vendor_id, std::string_view device_id) const;
  /// Whether such a device is an accelerator. `class_code` is six hexadecimal digits.
  bool is_accelerator(std::string_view vendor_id, std::string_view device_id, std::string_view class_code) const;
  std::size_t size() const { return entries_.size(); }

 private:
  std::map<std::string, PciEntry, std::less<>> entries_;  // by "vvvv" or "vvvv:dddd"
};

/// What the system's pci.ids calls a device, "" where it does not know one of the two.
struct SystemPciName {
  std::string vendor, device;
};
/// Opens the file at its first use. Not for several threads at once.
SystemPciName system_pci_name(std::string_view vendor_id, std::string_view device_id);

}  // namespace scoville::environment
