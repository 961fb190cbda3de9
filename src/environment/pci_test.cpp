#include <doctest/doctest.h>

#include "environment/areas.hpp"
#include "environment/fixture.hpp"

namespace scoville::environment {
namespace {

using event::FieldStatus;
using event::Fingerprint;

Fingerprint pci(const FixtureRoot& files, const PciNames& names = PciNames::embedded()) {
  Fingerprint print;
  collect_pci(Root(files.path()), names, print);
  return print;
}

std::string fault(const std::string& yaml) {
  const auto parsed = PciNames::parse(yaml, "mine.yaml");
  return parsed ? "" : parsed.error().message;
}

}  // namespace

TEST_CASE("the embedded data knows every vendor that a fingerprint is asked for") {
  const PciNames& names = PciNames::embedded();
  for (const char* id : {"10de", "1002", "8086", "19e5", "cabc", "1d94", "1ed5", "9999", "1e3e", "1e36", "1ee0", "1d22",
                         "1da3", "1d0f", "1e52", "1eff", "1ed2"}) {
    CAPTURE(id);
    REQUIRE(names.vendor(id) != nullptr);
    CHECK_FALSE(names.vendor(id)->classes.empty());
  }
  CHECK(names.device("19e5", "d802")->name == "Ascend 910B (A2)");
  CHECK(names.device("19e5", "a222") == nullptr);
}

TEST_CASE("a card is an accelerator by its own entry or by its vendor's classes") {
  const PciNames& names = PciNames::embedded();
  CHECK(names.is_accelerator("10de", "2335", "030200"));        // a display controller of NVIDIA's
  CHECK_FALSE(names.is_accelerator("10de", "1af1", "068000"));  // NVSwitch is a bridge
  CHECK_FALSE(names.is_accelerator("10de", "22a3", "040300"));  // its sound function
  CHECK_FALSE(names.is_accelerator("19e5", "a222", "020000"));  // Huawei makes network cards too
  CHECK(names.is_accelerator("1d94", "6210", "0b4000"));
  CHECK_FALSE(
      names.is_accelerator("8086", "37c8", "0b4000"));  // QuickAssist is a co-processor, and no accelerator of ours
  CHECK_FALSE(names.is_accelerator("1a03", "2000", "030000"));  // a server's own display
  CHECK(names.is_accelerator("abcd", "0001", "120000"));        // unheard of, but of the class
}

TEST_CASE("an Ascend machine: cards by name, the network card apart, the link's present speed not compared") {
  FixtureRoot files;
  files.pci("0000:c1:00.0", "19e5", "d802", "120000")
      .pci("0000:01:00.0", "19e5", "d802", "120000")
      .pci("0000:02:00.0", "19e5", "a222", "020000")
      .file("/sys/bus/pci/devices/0000:01:00.0/max_link_speed", "16.0 GT/s PCIe\n")
      .file("/sys/bus/pci/devices/0000:01:00.0/current_link_speed", "2.5 GT/s PCIe\n")
      .file("/sys/bus/pci/devices/0000:01:00.0/numa_node", "1\n")
      .link("/sys/bus/pci/devices/0000:01:00.0/driver", "../../drivers/devdrv_device_driver");
  const Fingerprint print = pci(files);
  CHECK(print.text("pci.accelerators") == "2");
  CHECK(print.text("pci.nics") == "1");
  CHECK(print.text("pci.accelerator.0.vendor") == "huawei");
  CHECK(print.text("pci.accelerator.0.name") == "Ascend 910B (A2)");
  CHECK(print.find("pci.accelerator.0.name")->source.find("confidence medium") != std::string::npos);
  CHECK(print.text("pci.accelerator.0.address") == "0000:01:00.0");
  CHECK_FALSE(print.find("pci.accelerator.0.address")->is_comparable);
  CHECK(print.text("pci.accelerator.0.link_speed_max") == "16.0 GT/s PCIe");
  CHECK_FALSE(print.find("pci.accelerator.0.link_speed")->is_comparable);
  CHECK(print.text("pci.accelerator.0.numa_node") == "1");
  CHECK(print.text("pci.accelerator.0.driver") == "devdrv_device_driver");
  CHECK(print.find("pci.accelerator.1.driver")->status == FieldStatus::absent);
}

TEST_CASE("no device is a count of none; no PCI at all is not known") {
  FixtureRoot bare, empty;
  empty.pci("0000:00:00.0", "8086", "0d57", "060000");
  CHECK(pci(empty).text("pci.accelerators") == "0");
  CHECK(pci(bare).find("pci.accelerators")->status == FieldStatus::absent);
}

TEST_CASE("a user's file names what ours does not, and goes before it") {
  auto mine = PciNames::parse(
      "- {id: '19e5:d802', vendor: huawei, name: Ours, source: me, confidence: high}\n"
      "- {id: 'abcd', vendor: newchip, name: New Chip, classes: ['ff'], source: me, confidence: low}\n",
      "mine.yaml");
  REQUIRE(mine.ok());
  PciNames names = PciNames::embedded();
  names.merge(*mine);
  FixtureRoot files;
  files.pci("0000:01:00.0", "19e5", "d802", "120000").pci("0000:02:00.0", "abcd", "0001", "ff0000");
  const Fingerprint print = pci(files, names);
  CHECK(print.text("pci.accelerator.0.name") == "Ours");
  CHECK(print.text("pci.accelerator.1.vendor") == "newchip");
  CHECK(print.text("pci.accelerator.1.name") == "New Chip");
}

TEST_CASE("a bad data file is told by its name and entry") {
  CHECK(fault("a: b").find("mine.yaml") == 0);
  CHECK(fault("- {id: 19E5}").find("19E5") != std::string::npos);
  CHECK(fault("- {id: 'abcd', vendor: x, name: n, source: s, confidence: sure}").find("confidence") !=
        std::string::npos);
  CHECK(fault("- {id: 'abcd', vendor: 'A B', name: n, source: s, confidence: low}").find("vendor") !=
        std::string::npos);
  CHECK(fault("- {id: 'abcd', vendor: x, source: s, confidence: low}").find("name") != std::string::npos);
  CHECK(fault("- {id: 'abcd', vendro: x}").find("vendro") != std::string::npos);
  const std::string once = "- {id: 'abcd', vendor: x, name: n, source: s, confidence: low}\n";
  CHECK(fault(once).empty());
  CHECK(fault(once + once).find("abcd") != std::string::npos);
  CHECK(fault("- [").find("mine.yaml") == 0);
}

}  // namespace scoville::environment
